/** One line of the table. `value` is what counts: figures of one machine are not those of another. */
export interface Row {
  readonly what: string;
  /** What was measured, and what it is compared with, as printed: `1.23 ms : 0.48 ms`. */
  readonly measured: string;
  readonly value: number;
  /** Null: only looked at. */
  readonly bar: number | null;
  /** `×` for a ratio; a unit where the bar is absolute. */
  readonly unit: string;
  /** The bar is a least, not a most. */
  readonly atLeast?: true;
}

export const holds = ({ value, bar, atLeast }: Row): boolean =>
  bar === null || (atLeast ? value >= bar : value <= bar);

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** How long something takes, beside a round trip; and how far its slowest are from that. Times in ms. */
export function delays(what: string, times: readonly number[], trips: readonly number[], bar: number): Row[] {
  const [p50, p99, trip] = [median(times), quantile(times, 0.99), median(trips)];
  const against = (one: number, other: number) => ({
    measured: `${ms(one)} : ${ms(other)}`,
    value: one / other,
    unit: '×',
  });
  return [
    { what, ...against(p50, trip), bar },
    { what: 'the same, p99 : p50', ...against(p99, p50), bar: 25 },
  ];
}

/**
 * Runs the parts in turn, so that whatever else the machine does falls on all of them alike, and gives the median of
 * each, in the unit that the parts return.
 */
export async function interleaved<K extends string>(
  runs: number,
  parts: Readonly<Record<K, () => number | Promise<number>>>,
): Promise<Record<K, number>> {
  const names = Object.keys(parts) as K[];
  const times = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const name of names) times.get(name)?.push(await parts[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<K, number>;
}

/** Milliseconds that `work` takes. */
export function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const mib = (value: number): string => `${value.toFixed(1)} MiB`;
