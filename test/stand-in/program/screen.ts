/** Keys as they come from a terminal in raw mode. */
export type Key = string;

const SEQUENCES: Readonly<Record<string, Key>> = {
  '\r': 'Enter',
  '\t': 'Tab',
  '\x1b': 'Escape',
  '\x1b[A': 'Up',
  '\x1b[B': 'Down',
  '\x1b[C': 'Right',
  '\x1b[D': 'Left',
  '\x1b[Z': 'BTab',
  '\x02': 'C-b',
  '\x03': 'C-c',
  '\x7f': 'Backspace',
};

export function keysIn(chunk: string): Key[] {
  // biome-ignore format: one sequence, one control character, or one character
  const parts = chunk.match(/\x1b\[[0-9;?]*[A-Za-z~]|[\s\S]/gu) ?? [];
  return parts.map((part) => SEQUENCES[part] ?? part);
}

export interface Screen {
  /** A line of the conversation, for good. */
  say(...lines: readonly string[]): void;
  /** What stands below the conversation: the prompt box or a dialog. */
  draw(bottom: readonly string[]): void;
  title(text: string): void;
  /** Tells what is drawn, now and at every change, until the result is called. */
  watch(viewer: (drawn: string) => void): () => void;
  readonly columns: number;
  close(): void;
}

function wrapped(line: string, columns: number): string[] {
  const characters = [...line];
  const lines: string[] = [];
  for (let at = 0; at === 0 || at < characters.length; at += columns) {
    lines.push(characters.slice(at, at + columns).join(''));
  }
  return lines;
}

/** Draws everything anew on every change, as 2.1.332 does on the alternate screen. */
export function openScreen(alternate: boolean): Screen {
  const out = process.stdout;
  const columns = out.columns ?? 120;
  const rows = out.rows ?? 50;
  const said: string[] = [];
  let bottom: readonly string[] = [];
  const isTerminal = out.isTTY === true;
  if (isTerminal && alternate) out.write('\x1b[?1049h');

  const viewers = new Set<(drawn: string) => void>();

  function drawn(): string {
    const below = bottom.flatMap((line) => wrapped(line, columns));
    const above = said.flatMap((line) => wrapped(line, columns)).slice(-Math.max(0, rows - below.length - 1));
    return `\x1b[2J\x1b[H${[...above, ...below].slice(-rows).join('\r\n')}`;
  }
  function redraw(): void {
    if (isTerminal) out.write(drawn());
    for (const viewer of viewers) viewer(drawn());
  }
  return {
    columns,
    say: (...lines) => {
      said.push(...lines);
      redraw();
    },
    draw: (lines) => {
      bottom = lines;
      redraw();
    },
    title: (text) => {
      if (isTerminal) out.write(`\x1b]0;${text}\x07`);
    },
    watch: (viewer) => {
      viewers.add(viewer);
      viewer(drawn());
      return () => viewers.delete(viewer);
    },
    close: () => {
      if (isTerminal) out.write(alternate ? '\x1b[?1049l' : '\r\n');
    },
  };
}
