import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of the unit tests a temporary folder of its own, so that nothing of them stays behind. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
