import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Who may know whom: a room may import from itself and from these. */
const mayKnow: Record<string, readonly string[]> = {
  system: [],
  sessions: ['system/clock'],
  attention: ['sessions', 'system/clock'],
  claude: ['sessions', 'system'],
  desktop: ['sessions', 'system'],
  answers: ['sessions', 'system'],
  bars: ['sessions', 'attention', 'config', 'system'],
  // What is untrusted is made safe by one module, whatever shows it.
  notifications: ['sessions', 'attention', 'config', 'system', 'bars/text', 'bars/width'],
  menu: ['sessions', 'attention', 'config', 'system', 'bars/text', 'bars/width'],
  config: ['system'],
  cli: [
    'daemon',
    'bars',
    'config',
    'system',
    'claude',
    'desktop',
    'sessions',
    'attention',
    'notifications',
    'menu',
  ],
  daemon: [
    'sessions',
    'attention',
    'claude',
    'desktop',
    'answers',
    'bars',
    'notifications',
    'menu',
    'config',
    'system',
  ],
};

/** What the command line may see of the rooms behind the daemon: their checks, settings, and types. */
const cliMaySee =
  /^(daemon\/|bars\/|config\/|system\/|sessions\/|attention\/|menu\/|claude\/(settings|check|hook-script|hold)|(desktop|notifications)\/check)/;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(join('src', from), 'utf8');
  const found = text.matchAll(
    /(?:import|export)\s+(type\s)?[^;'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'/g,
  );
  return [...found].map(([, type, path, dynamic]) => ({
    from,
    to: normalize(join(dirname(from), path ?? dynamic ?? '')),
    typeOnly: type !== undefined,
  }));
});

const roomOf = (file: string) => file.split('/')[0] ?? '';

describe('the rooms', () => {
  it('know only whom they may', () => {
    expect(imports.length).toBeGreaterThan(20);
    const trespasses = imports.filter(({ from, to, typeOnly }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (room === other) return false;
      if (room === 'cli' && !typeOnly && !cliMaySee.test(to)) return true;
      return !(mayKnow[room] ?? []).some((known) => to === `${known}.ts` || to.startsWith(`${known}/`));
    });
    expect(trespasses).toEqual([]);
  });

  it('are all named in the list of who may know whom', () => {
    expect([...new Set(sources.map(roomOf))].filter((room) => !(room in mayKnow))).toEqual([]);
  });

  it('import each other in no circle', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      const circle = (edges.get(file) ?? [])
        .map((next) => visit(next, [...path, file]))
        .find((c) => c.length > 0);
      done.add(file);
      return circle ?? [];
    };
    expect(sources.flatMap((file) => visit(file, []))).toEqual([]);
  });

  it('have no file for leftovers, and none that grew past one concern', () => {
    expect(
      sources.filter((name) => /(^|\/)(utils?|helpers?|common|misc|shared)(\/|\.ts$)/.test(name)),
    ).toEqual([]);
    const long = sources.filter((name) => readFileSync(join('src', name), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
