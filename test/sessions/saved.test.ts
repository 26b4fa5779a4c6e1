import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../src/sessions/registry.ts';
import { asks, at, ends, file, key, only, seenAlive, starts, stopped, submitted, told } from './told.ts';

/** A bit of everything that is kept. */
const everything = [
  submitted(5, 'A'),
  starts(6, 'ls'),
  ends(7, 'ls'),
  asks(8, 'npm i'),
  stopped(9, 'A', { lastMessage: 'done', background: { agents: 1, shells: 2 } }),
  submitted(20, 'B'),
  asks(21, 'rm -r x'),
  { type: 'labelled', at: at(22), label: 'web' },
  { type: 'ports', at: at(22), ports: [3000] },
  { type: 'mode-seen', at: at(22), permissionMode: 'plan' },
] as const;

const saved = () => JSON.parse(JSON.stringify(told(...everything).save(at(30)))) as Saved;
interface Saved {
  sessions: Record<string, unknown>[];
  labels: unknown;
}

/** What the next daemon shows once it has seen that the process is alive. */
function nextDaemon(json: unknown) {
  const registry = createRegistry(json);
  registry.observe(key, seenAlive(31));
  return registry;
}

describe('what a daemon has saved', () => {
  it('is there again, whole', () => {
    expect(only(nextDaemon(saved()))).toMatchObject({
      state: 'needs-input',
      label: 'web',
      ports: [3000],
      permissionMode: 'plan',
      lastMessage: 'done',
      prompts: [{ text: 'rm -r x' }],
    });
  });

  it('does not say where a session is: its window may have gone meanwhile', () => {
    const place = { certainty: 'exact', window: { focused: true } };
    const json = saved();
    json.sessions[0] = { ...json.sessions[0], placed: { type: 'placed', at: at(22), place } };
    expect(only(nextDaemon(json)).place).toMatchObject({ certainty: 'none', window: null });
  });

  it('costs a session that another version has saved otherwise, and no other', () => {
    const json = saved();
    const other = { ...json.sessions[0], key: { ...key, pid: key.pid + 1 }, prompts: 'none', label: null };
    json.sessions.unshift(other);
    const registry = nextDaemon(json);
    registry.observe({ ...key, pid: key.pid + 1 }, seenAlive(31));
    expect(registry.all().map(({ label }) => label)).toEqual(['web', null]);
  });

  it('is taken back with as many labels as it would have kept, the newest, and without what is no label', () => {
    const labels = Array.from({ length: 5_000 }, (_, number) => [`id${number}`, `label ${number}`]);
    const json = { ...saved(), labels: [...labels.slice(0, -1), 'no label', ...labels.slice(-1)] };
    const { labels: kept } = createRegistry(json).save(at(50)) as Saved;
    expect(kept).toHaveLength(199);
    expect(kept).toContainEqual(['id4999', 'label 4999']);
  });

  it('breaks nothing, whatever stands in it', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const keys = Object.keys(saved().sessions[0] ?? {}).filter((name) => name !== 'key');
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.oneof(json, fc.constant(1e300)), (name, value) => {
        const changed = saved();
        changed.sessions[0] = { ...changed.sessions[0], [name]: value };
        const registry = nextDaemon(changed);
        for (const seen of [...everything, file(40, 'waiting'), file(41, 'idle')])
          registry.observe(key, seen);
        const session = only(registry);
        expect(() => new Date(session.since).toISOString()).not.toThrow();
        expect(session.label).toBe('web');
        createRegistry(JSON.parse(JSON.stringify(registry.save(at(50)))));
      }),
    );
    for (const nothing of [
      null,
      7,
      [],
      { version: 2 },
      { ...saved(), labels: {} },
      { ...saved(), sessions: 1 },
    ]) {
      expect(only(nextDaemon(nothing)).label).toBeNull();
    }
  });
});
