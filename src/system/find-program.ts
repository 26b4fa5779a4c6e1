import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Absolute path of a program, as it is found on a PATH. */
export function findProgram(name: string, path: string | undefined): string | null {
  const folders = [...(path ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/bin'];
  for (const folder of folders) {
    const program = join(folder, name);
    if (folder.startsWith('/') && isExecutable(program)) return program;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
