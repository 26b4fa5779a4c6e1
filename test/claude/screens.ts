import { readdirSync, readFileSync } from 'node:fs';

const folder = 'test/fixtures/claude/screens';

/** Panes of the real Claude Code as `tmux capture-pane -p` gave them. */
export const screenNames = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.replace('.txt', ''))
  .sort();

export const screen = (name: string): string => readFileSync(`${folder}/${name}.txt`, 'utf8');

/** The screen with some of its text replaced, which must be there. */
export function changed(name: string, ...changes: readonly (readonly [string, string])[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${name} does not say ${JSON.stringify(from)}`);
    return text.replace(from, () => to);
  }, screen(name));
}
