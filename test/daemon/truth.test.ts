import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { delay, world } from './truth-world.ts';

/**
 * What the built daemon tells of stand-ins of Claude Code, at real speed, once with the hooks that `tsmux setup`
 * installs and once without any.
 */
const PATIENT = { timeout: 90_000 };

/** With no hooks installed states are right within that, ms; what only the transcript tells, within the longer one. */
const SOON = 500;
const BY_TRANSCRIPT = 2000;
/** A killed process is missed within that while anything is busy, ms. */
const KILLED = 5000;
/** What is measured passes through a test's own event loop too. */
const MARGIN = 500;

describe.each([
  ['with hooks', true],
  ['without hooks', false],
] as const)('%s', PATIENT, (_, hooked) => {
  it('a turn is busy, then review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await all.is(claude, 'idle');
    await claude.type('SCN:slow please');
    expect(await delay(claude, 'busy', all.is(claude, 'busy'))).toBeLessThan(SOON);
    await claude.step({ do: 'finish' });
    expect(await delay(claude, 'idle', all.is(claude, 'review'))).toBeLessThan(SOON + MARGIN);
    expect(all.story(claude)).toEqual(expect.arrayContaining(['idle', 'busy', 'review']));
    expect(all.story(claude)).not.toContain('needs-input');
  });

  it('a prompt needs input until it is answered in the terminal, and only that session', async () => {
    const all = await world(hooked);
    await all.daemon();
    const [claude, other] = [await all.start(), await all.start()];
    await claude.type('SCN:bash please');
    const needed = all.is(claude, 'needs-input');
    expect(await delay(claude, 'waiting', needed)).toBeLessThan(SOON);
    expect(await needed).toMatchObject({ reason: 'permission prompt' });
    await claude.answer('1');
    await all.is(claude, 'review', ({ prompts }) => prompts.length === 0);
    expect(all.story(other)).not.toContain('needs-input');
    expect(all.now(other)).toMatchObject({ state: 'idle', cwd: all.project });
    expect(all.now(other)?.id).not.toBe(all.now(claude)?.id);
  });

  it('a10: Esc makes it idle, though no hook tells of it', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:slow please');
    await all.is(claude, 'busy');
    await claude.press('Escape');
    const late = await delay(claude, 'idle', all.is(claude, 'idle'));
    expect(late).toBeLessThan(BY_TRANSCRIPT + MARGIN);
  });

  it('a prompt that is typed meanwhile is worked on before there is anything to review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:slow please');
    await all.is(claude, 'busy');
    await claude.type('SCN:slow again');
    const isQueued = () => claude.transcript().some(({ type }) => type === 'queue-operation');
    await until(isQueued, { why: 'the prompt to be queued' });
    await claude.step({ do: 'finish' });
    const answers = () => claude.transcript().filter(({ type }) => type === 'assistant').length;
    await until(() => answers() > 0, { why: 'the first answer' });
    expect(all.story(claude)).not.toContain('review');
    const finish = async () => {
      await claude.step({ do: 'finish' });
      return answers() > 1;
    };
    await until(finish, { why: 'the second answer', every: 50 });
    await claude.is('idle');
    await all.is(claude, 'review');
    expect(all.story(claude).filter((state) => state === 'review')).toHaveLength(1);
  });

  it('a8: a shell in the background does not keep it from review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.step({ do: 'mode', mode: 'bypassPermissions' });
    await claude.type('SCN:bgshell please');
    await claude.is('shell');
    await all.is(claude, 'review', ({ background }) => background.shells === 1);
    writeFileSync(join(all.machine.home, 'outside/go'), '');
    await all.is(claude, 'review', ({ background }) => background.shells === 0);
    expect(all.story(claude)).not.toContain('needs-input');
  });

  it('a12: a sub-agent that still runs keeps it busy after Stop', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:agentslow please');
    await claude.shows('The sub-agent runs in background.');
    await all.is(claude, 'busy', ({ background }) => !hooked || background.agents === 1);
    expect(all.story(claude)).not.toContain('review');
    await claude.step({ do: 'finish' });
    await claude.is('idle');
    await all.is(claude, 'review', ({ background }) => background.agents === 0);
  });

  it('an API error is to be reviewed, with its reason', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:error400 please');
    await all.is(claude, 'review', ({ reason }) => /^API error/i.test(reason ?? ''));
  });

  it('a18: /clear leaves one session with its label; /compact and /model need nobody', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    const before = await all.is(claude, 'idle');
    await all.machine.tsmux('label', `pid:${claude.pid}`, 'web');
    await claude.type('/clear');
    const after = await all.is(claude, 'idle', ({ sessionId }) => sessionId !== before.sessionId);
    expect(after).toMatchObject({ id: before.id, label: 'web' });
    await claude.type('/compact');
    const isOver = () => claude.transcript().some(({ subtype }) => subtype === 'compact_boundary');
    await until(isOver, { why: 'the compaction' });
    // No user is so fast that the file has not been read meanwhile: from busy straight to a dialog would be a prompt.
    const over = new Date().toISOString();
    await until(
      async () => {
        const { stdout } = await all.machine.tsmux('explain', `pid:${claude.pid}`);
        const [, at = '', status] = /(\S+) +session file says (\w+)/.exec(stdout) ?? [];
        return status === 'idle' && at > over;
      },
      { why: 'the file to be read' },
    );
    await claude.type('/model');
    await claude.is('waiting', 'dialog open');
    await claude.answer('Escape');
    await claude.type('SCN:hello please');
    await all.is(claude, 'review', ({ compacting }) => !compacting);
    expect(all.story(claude)).not.toContain('needs-input');
  });

  it('a19: two processes that share a session id keep their own states', async () => {
    const all = await world(hooked);
    await all.daemon();
    const [first, second] = [await all.start(), await all.start()];
    const { sessionId } = await first.is('idle');
    await second.step({ do: 'session-file', fields: { sessionId } });
    await all.is(second, 'idle', (session) => session.sessionId === sessionId);
    await first.type('SCN:slow please');
    await all.is(first, 'busy');
    await first.step({ do: 'finish' });
    await all.is(first, 'review');
    expect(all.story(second)).toEqual(['idle']);
  });

  it('a6, a7: print, SDK and background sessions are told apart, spares are none', async () => {
    const all = await world(hooked);
    await all.daemon();
    const print = await all.start({ args: ['-p', 'SCN:slow please'], early: true });
    const sdk = await all.start({ entrypoint: 'sdk-ts' });
    const background = await all.start({ kind: 'bg' });
    const spare = await all.start({ kind: 'bg', spare: true });
    expect(await all.is(print, 'busy')).toMatchObject({ kind: 'print' });
    expect(await all.is(sdk, 'idle')).toMatchObject({ kind: 'sdk' });
    expect(await all.is(background, 'idle')).toMatchObject({ kind: 'background' });
    expect(all.now(spare)).toBeUndefined();
  });

  it('a29: with another CLAUDE_CONFIG_DIR it is found too', async () => {
    const all = await world(hooked);
    const configDir = join(all.machine.home, 'other');
    mkdirSync(configDir);
    if (hooked) await all.machine.tsmux('setup', '--yes', '--config-dir', configDir);
    const claude = await all.start({ env: { CLAUDE_CONFIG_DIR: configDir } });
    await all.daemon();
    expect(await all.is(claude, 'idle')).toMatchObject({ configDir });
    await claude.type('SCN:bash please');
    expect(await delay(claude, 'waiting', all.is(claude, 'needs-input'))).toBeLessThan(SOON);
  });

  it('one that has no session files, as before there were any, is known by the rest', async () => {
    const all = await world(hooked);
    const claude = await all.start({ sessionFiles: false, version: '2.1.197' });
    await all.daemon();
    await claude.type('SCN:slow please');
    await all.is(claude, 'busy');
    await claude.step({ do: 'finish' });
    await all.is(claude, 'review');
  });

  it('one in a container that shares ~/.claude is not of this machine', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await all.is(claude, 'idle');
    const machineId = readFileSync('/etc/machine-id', 'utf8').trim();
    const contained = all.machine.claude({ status: 'busy', pidDomain: `linux:${machineId}:pid:[1]` });
    const ours = all.machine.claude({ status: 'busy' });
    await until(() => all.knows(ours.pid), { why: 'the session beside it' });
    expect(all.knows(contained.pid)).toBe(false);
  });

  it('a21, a22: kill -9, and the end of its terminal, take it with its prompt', async () => {
    const all = await world(hooked);
    await all.daemon();
    const [killed, closed] = [await all.start(), await all.start()];
    await killed.type('SCN:bash please');
    await closed.type('SCN:slow please');
    await all.is(killed, 'needs-input');
    await all.is(closed, 'busy');
    await killed.kill('SIGKILL');
    await all.gone(killed, KILLED + MARGIN);
    await closed.stop();
    await all.gone(closed, KILLED + MARGIN);
  });

  it('a23: after a restart of the daemon everything is as it was', async () => {
    const all = await world(hooked);
    await all.daemon();
    const [asks, works, done, rests] = [
      await all.start(),
      await all.start(),
      await all.start(),
      await all.start(),
    ];
    await asks.type('SCN:bash please');
    await works.type('SCN:slow please');
    await done.type('SCN:hello please');
    await all.is(asks, 'needs-input');
    await all.is(works, 'busy');
    await all.is(done, 'review');
    await all.daemon();
    await all.is(done, 'review');
    expect([asks, works, done, rests].map((claude) => all.story(claude))).toEqual([
      ['needs-input'],
      ['busy'],
      ['review'],
      ['idle'],
    ]);
  });
});
