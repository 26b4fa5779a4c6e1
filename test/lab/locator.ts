// Asks the locator of src/desktop in a process of the lab's user.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Located, Went } from '../../src/desktop/desktop.ts';
import { until } from '../support/until.ts';
import type { AnyLab } from './lab.ts';

export interface Question {
  readonly method: 'locate' | 'showPane' | 'noncesWritten';
  readonly pid: number;
  readonly attachedBy?: readonly number[];
  /** False: no title is changed. */
  readonly titleNonce?: boolean;
}

type Options = Pick<Question, 'attachedBy' | 'titleNonce'>;

export interface LabLocator {
  locate(pid: number, options?: Options): Promise<Located>;
  showPane(pid: number): Promise<Went>;
  /** Whether its pane is the one that its window shows; null without a pane. */
  paneFocus(pid: number): Promise<boolean | null>;
  /** How many titles were changed so far to find a window. */
  noncesWritten(): Promise<number>;
}

const probe = fileURLToPath(new URL('./locator-probe.ts', import.meta.url));

export async function locatorIn(lab: AnyLab): Promise<LabLocator> {
  const program = join(lab.folder, 'locator-probe.mjs');
  await build({
    entryPoints: [probe],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  chmodSync(program, 0o644);
  const running = lab.spawn('node', [program]);
  let last = 0;

  async function ask<T>(question: Question): Promise<T> {
    const id = ++last;
    running.stdin.write(`${JSON.stringify({ id, ...question })}\n`);
    const line = await until(() => running.lines().find((text) => text.startsWith(`{"id":${id},`)), {
      why: `an answer to ${question.method}`,
      limit: 10_000,
      every: 2,
      saw: running.stderr,
    });
    const answer: { value: T; error?: string } = JSON.parse(line);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  const locate = (pid: number, options: Options = {}) => ask<Located>({ method: 'locate', pid, ...options });

  return {
    locate,
    showPane: (pid) => ask({ method: 'showPane', pid }),
    paneFocus: async (pid) => (await locate(pid)).place.pane?.focused ?? null,
    noncesWritten: () => ask({ method: 'noncesWritten', pid: 0 }),
  };
}
