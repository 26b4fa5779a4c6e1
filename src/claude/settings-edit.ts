import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { hookEvents } from './hooks.ts';

/**
 * Edits of settings.json's text, by hand at the place: everything that is not tsmux's keeps its bytes. Pure.
 */
export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly message: string };

/** What a user may let tsmux deny Claude's own tools: they run as the user and can reach the daemon. */
export const denyRules: readonly string[] = [
  'Bash(tsmux answer *)',
  'Bash(tsmux answer)',
  'Bash(tsmux click *)',
  'Bash(tsmux menu *)',
];

/** Claude Code waits for an answer as long as the prompt is open; seconds. */
const holdTimeout = 86_400;

/** Absolute paths of what Claude Code is told to run: for a question, and for every other event. */
export interface HookPaths {
  readonly event: string;
  readonly hold: string;
}

/** Exec form (`args`): no shell between, so nothing is to be quoted, and the script's parent is Claude Code itself. */
function handlerOf(event: string, hooks: HookPaths): object {
  return event === 'PermissionRequest'
    ? { type: 'command', command: hooks.hold, args: [], timeout: holdTimeout }
    : { type: 'command', command: hooks.event, args: [], async: true };
}

/** Whether a command of a hook is tsmux's, of this installation or of another one. */
export function isOurs(command: unknown, hooks: HookPaths): boolean {
  if (typeof command !== 'string') return false;
  const { event, hold } = hooks;
  return command === event || command === hold || /\/tsmux\/(?:hook|hold)$|(?:^|\/)tsmux hook$/.test(command);
}

/** Adds what is missing, brings what is there up to date in place, and drops what is twice. */
export function withHooks(text: string, hooks: HookPaths, deny: boolean): Edited {
  let result = parsed(text.trim() === '' ? '{}\n' : text);
  for (const event of hookEvents) {
    result = then(result, (document) => {
      const ours = handlersOf(document, event).filter(({ command }) => isOurs(command, hooks));
      const [first, ...others] = ours;
      const handler = handlerOf(event, hooks);
      if (first === undefined) return append(document, ['hooks', event], { hooks: [handler] });
      const cleared = others.reduceRight((rest, { path }) => removeUpwards(rest, path), document);
      const node = nodeAt(cleared.root, first.path);
      if (node === undefined || isEqual(getNodeValue(node), handler)) return cleared;
      return replace(cleared, node, handler);
    });
  }
  if (deny) {
    for (const rule of denyRules) {
      result = then(result, (document) => {
        const list = nodeAt(document.root, ['permissions', 'deny']);
        const known = list?.children?.some((child) => child.value === rule) ?? false;
        return known ? document : append(document, ['permissions', 'deny'], rule);
      });
    }
  }
  return finished(result);
}

/** Takes out every hook of tsmux and its deny rules, and the containers that this leaves empty. */
export function withoutHooks(text: string, hooks: HookPaths): Edited {
  let result = parsed(text);
  result = then(result, (document) => {
    return eventsIn(document).reduce((rest, event) => {
      const ours = handlersOf(rest, event).filter(({ command }) => isOurs(command, hooks));
      return ours.reduceRight((left, { path }) => removeUpwards(left, path), rest);
    }, document);
  });
  for (const rule of denyRules) {
    result = then(result, (document) => {
      const list = nodeAt(document.root, ['permissions', 'deny']);
      const index = list?.children?.findIndex((child) => child.value === rule) ?? -1;
      return index < 0 ? document : removeUpwards(document, ['permissions', 'deny', index]);
    });
  }
  return finished(result);
}

/** Commands of all hooks of an event, in order; of all events without one. Empty when the text does not parse. */
export function hookCommands(text: string): readonly {
  readonly event: string;
  readonly command: string;
  readonly handler: unknown;
}[] {
  const result = parsed(text);
  if (!result.ok) return [];
  return eventsIn(result.document).flatMap((event) =>
    handlersOf(result.document, event).flatMap(({ command, handler }) =>
      typeof command === 'string' ? [{ event, command, handler }] : [],
    ),
  );
}

/** Events whose handler is missing or not as it should be. All of them when the text does not parse. */
export function outdatedEvents(text: string, hooks: HookPaths): readonly string[] {
  const commands = hookCommands(text);
  return hookEvents.filter((event) => {
    const ours = commands.filter((known) => known.event === event && isOurs(known.command, hooks));
    return ours.length !== 1 || !isEqual(ours[0]?.handler, handlerOf(event, hooks));
  });
}

/** The value of one of the file's own settings; undefined where it is not there, or the text does not parse. */
export function settingOf(text: string, key: string): unknown {
  const result = parsed(text);
  return result.ok ? nodeAt(result.document.root, [key])?.value : undefined;
}

/** The hooks, as a whole object to paste where the file cannot be written. */
export function hooksSnippet(hooks: HookPaths): string {
  const entries = hookEvents.map((event) => [event, [{ hooks: [handlerOf(event, hooks)] }]]);
  return JSON.stringify({ hooks: Object.fromEntries(entries) }, null, 2);
}

const byteOrderMark = '\uFEFF';

interface Document {
  readonly text: string;
  readonly root: Node;
  readonly indent: string;
  readonly newline: string;
}

type Path = readonly (string | number)[];
type Parsed =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly offset: number; readonly text: string; readonly message: string };

/** Claude Code takes plain JSON only: comments and trailing commas switch the whole file off. */
function parsed(text: string): Parsed {
  if (isTooDeep(text)) return { ok: false, offset: 0, text, message: 'nested too deep' };
  const errors: ParseError[] = [];
  const start = text.startsWith(byteOrderMark) ? 1 : 0;
  // The mark is kept, as a blank: offsets stay those of the file.
  const root = parseTree(start === 1 ? ` ${text.slice(1)}` : text, errors, {
    disallowComments: true,
    allowTrailingComma: false,
  });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const message = error === undefined ? 'no JSON' : inWords(printParseErrorCode(error.error));
    return { ok: false, offset: error?.offset ?? 0, text, message };
  }
  if (root.type !== 'object') return { ok: false, offset: root.offset, text, message: 'not an object' };
  const indent = /^\s*\{\r?\n([ \t]+)/.exec(text.slice(start))?.[1] ?? '  ';
  return {
    ok: true,
    document: { text, root, indent, newline: text.includes('\r\n') ? '\r\n' : '\n' },
  };
}

/** The parser calls itself for each level, and some thousands of them overflow its stack. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inString = !inString;
    else if (character === '\\' && inString) at++;
    else if (inString) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > 500) return true;
  }
  return false;
}

/** `PropertyNameExpected` → `property name expected` */
function inWords(code: string): string {
  return code.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

/** A container that is something else than it must be. */
class WrongShape extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

function then(result: Parsed, edit: (document: Document) => Document): Parsed {
  if (!result.ok) return result;
  try {
    return { ok: true, document: edit(result.document) };
  } catch (error) {
    if (!(error instanceof WrongShape)) throw error;
    return { ok: false, offset: error.offset, text: result.document.text, message: error.message };
  }
}

function finished(result: Parsed): Edited {
  if (result.ok) return { ok: true, text: result.document.text };
  const before = result.text.slice(0, result.offset).split('\n');
  return {
    ok: false,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    message: result.message,
  };
}

function spliced(document: Document, offset: number, length: number, insert: string): Document {
  const text = document.text.slice(0, offset) + insert + document.text.slice(offset + length);
  const result = parsed(text);
  if (!result.ok) throw new Error(`an edit of settings.json broke it: ${result.message}`);
  return { ...document, text, root: result.document.root };
}

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

/** With a key that stands twice the last one counts, as for JSON.parse. */
function nodeAt(root: Node, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === 'number') return node?.type === 'array' ? node.children?.[step] : undefined;
    if (node?.type !== 'object') return undefined;
    return node.children?.findLast((property) => keyOf(property) === step)?.children?.[1];
  }, root);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Handler {
  readonly path: Path;
  readonly command: unknown;
  readonly handler: unknown;
}

function eventsIn({ root }: Document): readonly string[] {
  return nodeAt(root, ['hooks'])?.children?.map((property) => keyOf(property)) ?? [];
}

function handlersOf(document: Document, event: string): readonly Handler[] {
  const groups = nodeAt(document.root, ['hooks', event])?.children ?? [];
  return groups.flatMap((_group, group) => {
    const handlers = nodeAt(document.root, ['hooks', event, group, 'hooks'])?.children ?? [];
    return handlers.map((node, index) => {
      const command = nodeAt(node, ['command'])?.value as unknown;
      return { path: ['hooks', event, group, 'hooks', index], command, handler: getNodeValue(node) };
    });
  });
}

/** Removes a value, and the containers above it that this leaves empty. */
function removeUpwards(document: Document, path: Path): Document {
  let doomed = path;
  while (doomed.length > 1) {
    const above = doomed.slice(0, -1);
    const container = nodeAt(document.root, above);
    const leavesEmpty = container?.children?.length === 1;
    // The group of a handler goes with its last handler, whatever matcher it has.
    const isHandlerList = typeof doomed.at(-1) === 'number' && above.at(-1) === 'hooks';
    if (!leavesEmpty) break;
    doomed = isHandlerList && above.length > 1 ? above.slice(0, -1) : above;
  }
  return removeNode(document, doomed);
}

function removeNode(document: Document, path: Path): Document {
  const container = nodeAt(document.root, path.slice(0, -1));
  const node = nodeAt(document.root, path);
  const children = container?.children ?? [];
  const index = children.findIndex((child) => child === node || child.children?.[1] === node);
  const child = children[index];
  if (container === undefined || child === undefined) return document;
  const previous = children[index - 1];
  const next = children[index + 1];
  if (previous !== undefined) {
    const from = endOf(previous);
    return spliced(document, from, endOf(child) - from, '');
  }
  if (next !== undefined) return spliced(document, child.offset, next.offset - child.offset, '');
  return spliced(document, container.offset + 1, container.length - 2, '');
}

function replace(document: Document, node: Node, value: unknown): Document {
  const isOneLine = !document.text.slice(node.offset, endOf(node)).includes('\n');
  const text = isOneLine ? JSON.stringify(value) : printed(document, value, depthAt(document, node.offset));
  return spliced(document, node.offset, node.length, text);
}

/** Appends to the array at `path`; the arrays and objects that are missing on the way are made. */
function append(document: Document, path: Path, item: unknown): Document {
  const known = path.findIndex(
    (_step, index) => nodeAt(document.root, path.slice(0, index + 1)) === undefined,
  );
  const depth = known < 0 ? path.length : known;
  const container = nodeAt(document.root, path.slice(0, depth)) ?? document.root;
  const expected = depth === path.length ? 'array' : 'object';
  if (container.type !== expected) {
    throw new WrongShape(container.offset, `"${path.slice(0, depth).join('.')}" is not an ${expected}`);
  }
  const [key, ...inner] = path.slice(depth);
  const value = inner.reduceRight<unknown>((made, step) => ({ [step]: made }), [item]);
  return insertLast(
    document,
    container,
    key === undefined ? undefined : String(key),
    key === undefined ? item : value,
  );
}

function insertLast(document: Document, container: Node, key: string | undefined, value: unknown): Document {
  const { newline, indent } = document;
  const last = container.children?.at(-1);
  const isMultiline = document.text.includes('\n');
  const inside = document.text.slice(container.offset, endOf(container));
  if (last !== undefined && !inside.includes('\n')) {
    // A container that the user wrote on one line stays there.
    const text = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(value)}`;
    return spliced(document, endOf(last), 0, `${isMultiline || inside.includes(', ') ? ', ' : ','}${text}`);
  }
  const depth = depthAt(document, container.offset);
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const line = `${newline}${indent.repeat(depth + 1)}${name}${printed(document, value, depth + 1)}`;
  if (last !== undefined) return spliced(document, endOf(last), 0, `,${line}`);
  return spliced(
    document,
    container.offset + 1,
    container.length - 2,
    `${line}${newline}${indent.repeat(depth)}`,
  );
}

/** How deep the line is indented on which this stands. */
function depthAt({ text, indent }: Document, offset: number): number {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const blank = /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
  return Math.round(blank.length / indent.length);
}

function printed({ indent, newline }: Document, value: unknown, depth: number): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${newline}${indent.repeat(depth)}`);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
