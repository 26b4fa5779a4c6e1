import { oneLine } from '../text.ts';

/** A block of the wrapped program: whatever keys it has, but scalars only. */
export type WrappedBlock = Readonly<Record<string, string | number | boolean>>;

export interface WrappedOutput {
  push(chunk: string): void;
  /** What the program shows now; the last good line where the newest cannot be read. */
  blocks(): readonly WrappedBlock[];
  /** What is wrong with the newest line; null when it could be read. */
  problem(): string | null;
  /** Whether its header asks for clicks. */
  wantsClicks(): boolean;
}

/** Longer than any line of a status program. */
const longestLine = 256 * 1024;

const noJson = 'writes no valid JSON';

/**
 * Understands what a status program writes: the i3bar protocol (a header, then an endless array whose elements may
 * span lines, as conky's do), or else plain text, a line at a time.
 */
export function createWrappedOutput(): WrappedOutput {
  let rest = '';
  let speaks: 'unknown' | 'i3bar' | 'text' = 'unknown';
  /** Whether the bracket came that opens the endless array. */
  let inArray = false;
  let wantsClicks = false;
  /** An element that is not whole yet. */
  let open = '';
  let blocks: readonly WrappedBlock[] = [];
  let problem: string | null = null;

  const onLine = (line: string) => {
    if (speaks === 'unknown') onFirstLine(line);
    else if (speaks === 'text') blocks = line.trim() === '' ? [] : [{ full_text: oneLine(line) }];
    else onProtocolLine(line.trim());
  };

  const onFirstLine = (line: string) => {
    const header = headerIn(line);
    speaks = header === null ? 'text' : 'i3bar';
    wantsClicks = header?.wantsClicks ?? false;
    onLine(header === null ? line : header.after);
  };

  const onProtocolLine = (line: string) => {
    if (line === '' || (line === ']' && open === '')) return;
    if (inArray) {
      onElementLine(line);
      return;
    }
    inArray = true;
    onProtocolLine(line.replace(/^\[\s*/, ''));
  };

  const onElementLine = (line: string) => {
    const starts = /^,\s*\[/.test(line) || (open === '' && line.startsWith('['));
    if (open === '' && !starts) {
      problem = noJson;
      return;
    }
    open = starts ? line : `${open}\n${line}`;
    if (!/\],?$/.test(line)) return;
    const element = elementIn(open);
    if (element !== null) [blocks, problem, open] = [element, null, ''];
    else if (starts) [problem, open] = [noJson, ''];
  };

  return {
    push(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length <= longestLine && open.length <= longestLine) return;
      [rest, open, problem] = ['', '', 'writes a line without end'];
    },
    blocks: () => blocks,
    problem: () => problem,
    wantsClicks: () => wantsClicks,
  };
}

/** The header, where the program begins with one; it may share its line with the bracket of the array. */
function headerIn(line: string): { readonly wantsClicks: boolean; readonly after: string } | null {
  const end = line.indexOf('}') + 1;
  const header = parsed(line.slice(0, end));
  if (!isRecord(header) || typeof header.version !== 'number') return null;
  return { wantsClicks: header.click_events === true, after: line.slice(end) };
}

function elementIn(text: string): WrappedBlock[] | null {
  const element = parsed(text.replace(/^,\s*/, '').replace(/,$/, ''));
  return Array.isArray(element) ? element.filter(isRecord).flatMap(blockIn) : null;
}

/** i3bar 4.22 draws "SPEC VIOLATION" for a block without a text, and for a key whose value is an object. */
function blockIn(block: Readonly<Record<string, unknown>>): WrappedBlock[] {
  if (typeof block.full_text !== 'string') return [];
  return [Object.fromEntries(Object.entries(block).filter(isScalarEntry))];
}

function isScalarEntry(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
