import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** As `spawn`; what is started ends with the bench at the latest, also when a part of it has failed. */
export const startProgram = ((...call: Parameters<typeof spawn>) => {
  const child = spawn(...call);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}) as typeof spawn;

/** A folder that goes with the bench. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-bench-'));
  folders.add(folder);
  return folder;
}

process.once('exit', () => {
  // A daemon that may end in peace writes its state into its folder once more.
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
