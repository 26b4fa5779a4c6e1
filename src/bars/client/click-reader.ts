/** A click as the bar sent it. Keys that it does not have are left out: swaybar 1.7 sends no modifiers. */
export interface BarClick {
  readonly name?: unknown;
  readonly instance?: unknown;
  readonly button?: unknown;
  readonly modifiers?: unknown;
}

/** No click is that long; what is comes from something else than a bar. */
const longestLine = 64 * 1024;

/**
 * Reads the bar's endless array of clicks from chunks that end anywhere. Bars put the comma before or after a click,
 * and other things than clicks may stand there: what is not an object is skipped.
 */
export function createClickReader(onClick: (click: BarClick) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) for (const click of clicksIn(line)) onClick(click);
    // A bar that writes no newline after a click is not made to wait for the next one.
    if (!rest.trimEnd().endsWith('}')) {
      if (rest.length > longestLine) rest = '';
      return;
    }
    const clicks = clicksIn(rest);
    if (clicks.length === 0) return;
    rest = '';
    for (const click of clicks) onClick(click);
  };
}

function clicksIn(line: string): BarClick[] {
  const bare = line.replace(/^[\s[,]+/, '').replace(/[\s\],]+$/, '');
  if (bare === '') return [];
  try {
    // An array, as one line can hold several clicks.
    const values: unknown = JSON.parse(`[${bare}]`);
    return Array.isArray(values) ? values.filter(isObject) : [];
  } catch {
    return [];
  }
}

function isObject(value: unknown): value is BarClick {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
