/** Whether node:fs, node:net and the like have thrown it with one of these codes (`ENOENT`). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
