/** Whether node:fs, node:net and the like have thrown it with one of these codes (`ENOENT`). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/**
 * Nothing could be opened for want of file descriptors or memory. That passes, and says nothing of what was to be read:
 * it must not count as "not there".
 */
export function isShortage(error: unknown): boolean {
  return hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM');
}

/** There is no room left to write to: the disk, or what the user may have of it, is full. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}
