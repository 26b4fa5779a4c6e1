/**
 * For sh(1): the word as one word, whatever is in it. Between single quotes nothing is special but their end. Where a
 * user types it, zsh(1) takes a word that begins with `=` for a command's path.
 */
export function quoteForSh(word: string): string {
  return /^[\w/.,:+@%-][\w/.,:=+@%-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
