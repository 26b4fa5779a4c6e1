/** For sh(1): the word as one word, whatever is in it. Between single quotes nothing is special but their end. */
export function quoteForSh(word: string): string {
  return /^[\w/.,:=+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
