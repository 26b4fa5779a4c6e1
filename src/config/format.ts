/**
 * The grammar of format strings: `{name}` is a placeholder, `{name:12}` one of at most twelve columns, and a part in
 * `[…]` is left out when a placeholder in it has nothing to say. `{{`, `}}`, `[[` and `]]` stand for the characters.
 */
export type Format = readonly Part[];

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'placeholder'; readonly name: string; readonly columns: number | null }
  | { readonly type: 'optional'; readonly parts: Format };

/** What is wrong with a format string, as what was expected. */
export interface FormatProblem {
  readonly expected: string;
}

const TOKEN = /\{\{|\}\}|\[\[|\]\]|\{([^{}]*)\}|[[\]{}]|[^[\]{}]+/g;
const PLACEHOLDER = /^([a-z][a-z-]*)(?::([1-9]\d{0,2}))?$/;

/** Reads a format string that may use these placeholders. */
export function parseFormat(source: string, names: readonly string[]): Format | FormatProblem {
  const outer: Part[] = [];
  let inner: Part[] | null = null;
  for (const [token, placeholder] of source.matchAll(TOKEN)) {
    const parts: Part[] = inner ?? outer;
    if (placeholder !== undefined) {
      const [, name, columns] = PLACEHOLDER.exec(placeholder) ?? [];
      if (name === undefined || !names.includes(name)) {
        return { expected: `only the placeholders ${names.map((known) => `{${known}}`).join(' ')}` };
      }
      parts.push({ type: 'placeholder', name, columns: columns === undefined ? null : Number(columns) });
    } else if (token === '[') {
      if (inner !== null) return { expected: 'no [ inside of [ ] (a bracket itself is written [[)' };
      inner = [];
    } else if (token === ']') {
      if (inner === null) return { expected: 'a [ before each ] (a bracket itself is written ]])' };
      outer.push({ type: 'optional', parts: inner });
      inner = null;
    } else if (token === '{' || token === '}') {
      return { expected: 'a brace only around a placeholder (a brace itself is written {{ or }})' };
    } else {
      parts.push({ type: 'text', text: /^(?:\{\{|\}\}|\[\[|\]\])$/.test(token) ? token.slice(1) : token });
    }
  }
  return inner === null ? outer : { expected: 'a ] after each [ (a bracket itself is written [[)' };
}

/** Whether the format shows the value of this placeholder whole. */
export function showsWhole(format: Format, name: string): boolean {
  return format.some((part) => part.type === 'placeholder' && part.name === name && part.columns === null);
}
