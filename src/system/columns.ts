/**
 * Columns that the text takes in a monospaced font, as string-width counts them. What that prepares of Unicode takes
 * 3 MB, and most processes never meet a text that needs it: so it is read with the first one.
 */
export function columnsOf(text: string): number {
  const { default: stringWidth }: typeof import('string-width') = require('string-width');
  return stringWidth(text);
}
