// The other ends of the bars' protocols, as their programs read them, only stricter: what tsmux did not mean is thrown.

/** What Pango shows, and the tags that it took; https://docs.gtk.org/Pango/pango_markup.html. */
export function readPango(markup: string): { readonly text: string; readonly tags: readonly string[] } {
  const tags: string[] = [];
  let text = '';
  let depth = 0;
  for (const [token, tag, entity] of markup.matchAll(/<([^<>]*)>|&([^;&]*);|[^<>&]|[<>&]/gu)) {
    if (tag !== undefined) {
      if (!/^(?:\/span|span foreground='#[0-9a-f]{6}'(?: background='#[0-9a-f]{6}')?)$/.test(tag)) {
        throw new Error(`a tag that is not ours: ${token}`);
      }
      depth += tag.startsWith('/') ? -1 : 1;
      if (depth < 0 || depth > 1) throw new Error('tags that do not fit');
      tags.push(tag);
    } else if (entity !== undefined) {
      const character = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }[entity];
      if (character === undefined) throw new Error(`no such entity: ${token}`);
      text += character;
    } else {
      if (/[<>&]/.test(token)) throw new Error(`not escaped: ${token} in ${markup}`);
      text += token;
    }
  }
  if (depth !== 0) throw new Error('a tag without its end');
  return { text, tags };
}

export interface PolybarAction {
  readonly button: number;
  readonly command: string;
  /** What a click on it hits. */
  text: string;
}

/**
 * What Polybar shows, and what can be clicked (polybar/src/tags/parser.cpp): a tag begins with `%{` wherever it
 * stands; the command of an action ends at the first colon without a backslash.
 */
export function readPolybar(line: string): {
  readonly text: string;
  readonly actions: readonly PolybarAction[];
} {
  const actions: PolybarAction[] = [];
  const open: PolybarAction[] = [];
  let text = '';
  let rest = line;
  while (rest !== '') {
    if (!rest.startsWith('%{')) {
      const [character = ''] = rest;
      text += character;
      for (const action of open) action.text += character;
      rest = rest.slice(character.length);
      continue;
    }
    const action = /^%\{A(\d):((?:\\:|[^:])*):\}/.exec(rest);
    const other = /^%\{(?:A|[FB](?:-|#[0-9a-f]{6}))\}/.exec(rest);
    if (action !== null) {
      const [tag, button, command = ''] = action;
      open.push({ button: Number(button), command: command.replaceAll('\\:', ':'), text: '' });
      rest = rest.slice(tag.length);
    } else if (other !== null) {
      if (other[0] === '%{A}') {
        const ended = open.pop();
        if (ended === undefined) throw new Error('an action that never began ends');
        actions.push(ended);
      }
      rest = rest.slice(other[0].length);
    } else throw new Error(`a tag that is not ours: ${rest.slice(0, 40)}`);
  }
  if (open.length > 0) throw new Error('an action without its end');
  return { text, actions };
}

/** What tmux shows of what a command of `#(…)` printed (tmux/format.c, format_expand1; tmux/format-draw.c). */
export function readTmux(line: string): string {
  return line.replace(/##|#\[([^\]]*)\]|#.?/gu, (token, style: string | undefined) => {
    if (token === '##') return '#';
    if (style !== undefined && /^(?:default|fg=#[0-9a-f]{6},bg=(?:default|#[0-9a-f]{6}))$/.test(style))
      return '';
    throw new Error(`something that tmux expands: ${token}`);
  });
}

/** i3blocks 1.4 (block.c, json.c): a string ends at the first quote, whatever stands before it. */
export function readI3blocks(line: string): Readonly<Record<string, string>> {
  const pairs = [...line.matchAll(/"([^"]*)":"([^"]*)"[,}]/g)].map(([, key, value]) => [key, value]);
  return Object.fromEntries(pairs);
}
