/**
 * Characters of a text in a snapshot. Everybody is sent the snapshot at every change, and a Write's content may be
 * megabytes: the whole text is had from the registry, as long as its prompt is open.
 */
export const longestText = 4000;

/** Start and end stay, since what matters may stand at either. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - 1) / 2);
  // A pair of surrogates that was cut in two is no text any more.
  const start = text.slice(0, half).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, '');
  return `${start}…${end}`;
}
