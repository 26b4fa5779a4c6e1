import { createInterface } from 'node:readline';
import { startProgram } from './started.ts';
import { ended, entry, type World } from './world.ts';

/** A real bar client, as i3bar runs it: lines out, clicks in. */
export interface BarClient {
  readonly pid: number;
  /** Its last line. */
  line(): string;
  /** Done as soon as a line has this text, or is so; fails where none comes. */
  shows(what: string | ((line: string) => boolean)): Promise<void>;
  /** A left click on the block with that instance. */
  click(instance: string): void;
  end(): Promise<void>;
}

/** ms. */
const PATIENCE = 30_000;

export function openBar(world: World): BarClient {
  const bar = startProgram(process.execPath, [entry, 'i3bar'], {
    env: world.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let line = '';
  let awaited: { isSo: (line: string) => boolean; done: () => void } | null = null;
  createInterface({ input: bar.stdout }).on('line', (written) => {
    line = written;
    if (awaited?.isSo(line)) awaited.done();
  });
  bar.stdin.write('[\n');
  return {
    pid: bar.pid ?? 0,
    line: () => line,
    shows: (what) =>
      new Promise<void>((done, failed) => {
        const isSo = typeof what === 'string' ? (text: string) => text.includes(what) : what;
        const patience = setTimeout(
          () => failed(new Error(`what was awaited is not on the bar: ${line}`)),
          PATIENCE,
        );
        awaited = {
          isSo,
          done() {
            clearTimeout(patience);
            done();
          },
        };
        if (isSo(line)) awaited.done();
      }),
    click(instance) {
      bar.stdin.write(`${JSON.stringify({ name: 'tsmux', instance, button: 1 })},\n`);
    },
    async end() {
      bar.kill();
      await ended(bar);
    },
  };
}
