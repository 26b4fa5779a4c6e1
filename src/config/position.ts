/** Line and column count from 1, as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const KEY = /"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+/g;
const TABLE = /^\s*(\[\[?)\s*([^\]]+?)\s*\]/;
const ENTRY =
  /^(\s*)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=/;
const FENCE = /"""|'''/g;

/**
 * Where a key stands in a TOML document that parsed. A TOML parser gives values without their places; this finds
 * the line that writes the longest part of the path: a table's header, a (dotted) key, or a key in an inline table.
 */
export function positionOf(source: string, path: readonly string[]): Position {
  let best: Position = { line: 1, column: 1 };
  let bestDepth = 0;
  const consider = (depth: number, line: number, column: number) => {
    if (depth > bestDepth) [best, bestDepth] = [{ line, column }, depth];
  };
  let table: readonly string[] = [];
  /** How many `[[tables]]` of a name there were. */
  const elements = new Map<string, number>();
  let fenced = false;
  for (const [index, text] of source.split('\n').entries()) {
    const wasFenced = fenced;
    if ((text.match(FENCE)?.length ?? 0) % 2 === 1) fenced = !fenced;
    if (wasFenced) continue;
    const [, bracket, header] = TABLE.exec(text) ?? [];
    if (header !== undefined) {
      table = keysOf(header);
      if (bracket === '[[') {
        const count = elements.get(header) ?? 0;
        elements.set(header, count + 1);
        table = [...table, `${count}`];
      }
      consider(shared(table, path), index + 1, text.indexOf('[') + 1);
      continue;
    }
    const entry = ENTRY.exec(text);
    if (entry === null) continue;
    const keys = [...table, ...keysOf(entry[2] ?? '')];
    let depth = shared(keys, path);
    consider(depth, index + 1, (entry[1] ?? '').length + 1);
    // The rest of the path can stand in an inline table, on the same line.
    let from = entry[0].length;
    while (depth >= keys.length && depth < path.length) {
      const inner = new RegExp(`(?<![\\w-])["']?${escaped(path[depth] ?? '')}["']?\\s*[=.]`).exec(
        text.slice(from),
      );
      if (inner === null) break;
      from += inner.index;
      depth += 1;
      consider(depth, index + 1, from + 1);
    }
  }
  return best;
}

function keysOf(dotted: string): string[] {
  return Array.from(dotted.matchAll(KEY), ([key]) => key.replace(/^(["'])(.*)\1$/, '$2'));
}

/** How many keys of the path are written here; 0 where something else is. */
function shared(keys: readonly string[], path: readonly string[]): number {
  const depth = Math.min(keys.length, path.length);
  return keys.slice(0, depth).every((key, index) => key === path[index]) ? depth : 0;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
