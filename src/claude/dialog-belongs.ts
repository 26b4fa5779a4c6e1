import { basename } from 'node:path';
import type { AskedPrompt } from '../sessions/prompt.ts';
import type { Dialog } from './dialog.ts';

/**
 * Whether the dialog on screen is the one of that prompt, so that an answer never goes to another. It must show
 * what the prompt is about, all of it: what is cut, or drawn in a way that is not known, does not belong.
 *
 * `agent`: the id of the sub-agent that asks, null for the main thread; a dialog tells which kind it is of.
 */
export function dialogFor(asked: AskedPrompt, agent: string | null, dialog: Dialog): boolean {
  if (dialog.kind !== asked.kind) return false;
  if (dialog.kind === 'permission' && dialog.title !== null && (agent === null) !== (dialog.from === null)) {
    return false;
  }
  switch (asked.kind) {
    case 'permission':
      return asked.tool !== null && showsTool(asked.tool, asked.text, dialog);
    case 'question':
      return showsQuestions(asked, dialog);
    case 'plan':
      return showsPlan(asked.text, dialog);
    case 'elicitation':
      return (
        dialog.title?.includes(`“${asked.title}”`) === true && flat(dialog.body).includes(flat([asked.text]))
      );
    case 'dialog':
      return false;
  }
}

/** First words of the title over a tool's dialog (2.1.197 and 2.1.332). */
const titles: ReadonlyMap<string, RegExp> = new Map([
  ['Bash', /^Bash command\b/],
  ['Edit', /^Edit file\b/],
  ['MultiEdit', /^Edit file\b/],
  ['Write', /^(?:Create|Overwrite|Write|Edit) file\b/],
  ['Read', /^Read file\b/],
  ['WebFetch', /^Fetch\b/],
]);
const ofMcpTool = /^Tool use\b/;

function showsTool(tool: string, text: string, dialog: Dialog): boolean {
  const title = titles.get(tool);
  if (dialog.title !== null) {
    const ofOther = [...titles.values(), ofMcpTool].some((other) => other.test(dialog.title ?? ''));
    if (title === undefined ? ofOther !== tool.startsWith('mcp__') : !title.test(dialog.title)) return false;
  }
  switch (tool) {
    case 'Bash':
      return showsCommand(text, dialog);
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
      return showsFile(text, dialog);
    case 'Read':
      return flat(dialog.framed ?? dialog.body) === flat([`Read(${text})`]);
    case 'WebFetch': {
      const [url = '', ...prompt] = text.split('\n');
      const shown = flat(dialog.framed ?? dialog.body);
      return shown.includes(flat([url])) && shown.includes(flat(prompt));
    }
    default:
      return showsInput(tool, text, dialog);
  }
}

/** Between the dashed rules stands the command and nothing else; without rules its description follows. */
function showsCommand(command: string, { framed, body, hidden }: Dialog): boolean {
  if (framed !== null) return restAfter(command, framed)?.length === 0;
  return hidden === 0 && restAfter(command, body) !== null;
}

/**
 * Finds a text in the lines into which it was wrapped: within a line every space counts, where a line ends any
 * number of them may have been. Gives the lines after it; null where it is not there from the first line on.
 */
function restAfter(text: string, lines: readonly string[]): readonly string[] | null {
  let missing = plain(text);
  for (const [at, line] of lines.entries()) {
    if (missing === '') return lines.slice(at);
    const shown = plain(line.replace(/^│ ?/, ''));
    if (!missing.startsWith(shown)) return null;
    missing = missing.slice(shown.length).trimStart();
  }
  return missing === '' ? [] : null;
}

/** Without what a terminal does not show as it is; any run of blanks is one. */
function plain(text: string): string {
  return text
    .replace(/[^\S ]+/g, ' ')
    .replace(/\p{C}+/gu, '')
    .replace(/ +/g, ' ')
    .trim();
}

/** Without any blanks: for text that is drawn with margins and numbers of its own. */
function flat(lines: readonly string[]): string {
  return lines.map((line) => plain(line.replace(/^│ ?/, '')).replaceAll(' ', '')).join('');
}

/**
 * `text` is the path, then what is written, or what is replaced (`- `) and by what (`+ `). The dialog names the
 * path from the session's folder on, and the file in its question. A new file is shown whole; of a change whole
 * lines, with some around it.
 */
function showsFile(text: string, { framed, above, question, title }: Dialog): boolean {
  const [path = '', ...content] = text.split('\n');
  const shownPath = flat(above).replace(/^(?:~\/|(?:\.\.\/)+)/, '');
  const endsIt = shownPath !== '' && (flat([path]) === shownPath || flat([path]).endsWith(`/${shownPath}`));
  const named = flat([question ?? '']).includes(flat([basename(path)]));
  if (framed === null || !endsIt || !named) return false;
  if (title?.startsWith('Create')) {
    return flat(framed.map((line) => line.replace(/^\d+ ?/, ''))) === flat(content);
  }
  const [before, after] = changeIn(framed);
  const marked = (sign: string) =>
    content.filter((line) => line.startsWith(`${sign} `)).map((line) => line.slice(2));
  if (title?.startsWith('Edit') && content.every((line) => /^[-+] /.test(line))) {
    return replacesOnce(before, flat(marked('-')), flat(marked('+')), after);
  }
  return content
    .filter((line) => line !== '(everywhere in the file)')
    .every((line) => `${before}${after}`.includes(flat([line.replace(/^[-+] /, '')])));
}

/** What the lines of a change say before it and after it. A wrapped line goes on behind the sign, without a number. */
function changeIn(framed: readonly string[]): readonly [string, string] {
  const lines = framed.map((line) => {
    const [all, sign] = /^(?:\d+ ?)?([-+]?) ?/.exec(line) ?? [''];
    return { sign, text: line.slice(all.length) };
  });
  const without = (one: string) => flat(lines.filter(({ sign }) => sign !== one).map(({ text }) => text));
  return [without('+'), without('-')];
}

function replacesOnce(before: string, old: string, by: string, after: string): boolean {
  for (let at = before.indexOf(old); at !== -1; at = before.indexOf(old, at + 1)) {
    if (`${before.slice(0, at)}${by}${before.slice(at + old.length)}` === after) return true;
  }
  return false;
}

/** Another tool, of an MCP server or not yet known here: its name, and each value of its input. */
function showsInput(tool: string, text: string, dialog: Dialog): boolean {
  const [, server = '', ...name] = tool.startsWith('mcp__') ? tool.split('__') : ['', '', tool];
  const letters = (part: string) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const heading = letters(`${dialog.title ?? ''} ${dialog.body.join(' ')}`);
  if (!heading.includes(letters(server)) || !heading.includes(letters(name.join('')))) return false;
  const shown = flat(dialog.framed ?? dialog.body);
  return valuesOf(text).every((value) => shown.includes(flat([value])));
}

/** `text` is the only value of the input, or the whole input as JSON, or nothing. */
function valuesOf(text: string): readonly string[] {
  if (!text.startsWith('{')) return [text];
  try {
    const leaves = (value: unknown): readonly string[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
    return leaves(JSON.parse(text));
  } catch {
    return [text];
  }
}

function showsQuestions({ questions }: AskedPrompt, dialog: Dialog): boolean {
  if (dialog.question === null) {
    const headers = dialog.tabs.map(({ header }) => header);
    return (
      questions.length > 0 && questions.every(({ header }) => header === null || headers.includes(header))
    );
  }
  const { question, options, multiSelect } = dialog;
  const choices = options.filter(({ key, takesText }) => key !== null && !takesText).slice(0, -1);
  return questions.some(
    (one) =>
      flat([one.text]) === flat([question]) &&
      one.multiSelect === multiSelect &&
      one.options.length === choices.length &&
      one.options.every(({ label }, at) => {
        const { label: shown = '', description = null } = choices[at] ?? {};
        return flat([shown, description ?? '']).startsWith(flat([label]));
      }),
  );
}

/** Drawn from Markdown: its letters and digits are what can be compared. */
function showsPlan(text: string, dialog: Dialog): boolean {
  const letters = (part: string) => part.replace(/[^\p{L}\p{N}]/gu, '');
  if (text.trim() === '') return dialog.title === 'Exit plan mode?';
  return dialog.framed !== null && letters(dialog.framed.join('')) === letters(text);
}
