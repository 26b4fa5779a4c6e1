// The project as its users have it, in a folder that the lab's user can read: a checkout may be private to its owner.
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { labAccount } from './account.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const variable = 'TSMUX_LAB_PROJECT';

/** Builds once for a whole run of vitest (`globalSetup` of vitest.lab.config.ts); gives what removes it again. */
export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync('/tmp/tsmux-project-');
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs'), join(folder, 'dist')]);
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync('../dist/tsmux.js', join(bin, 'tsmux'));
    for (const name of ['record-bar.sh', 'status.sh'])
      copyFileSync(join(root, 'test/lab', name), join(bin, name));
    await putNode(join(bin, 'node'));
    for (const part of ['test/stand-in', 'test/fixtures', 'contrib', 'examples'])
      if (existsSync(join(root, part))) cpSync(join(root, part), join(folder, part), { recursive: true });
    spawnSync('chmod', ['-R', 'a+rX', folder]);
  } catch (error) {
    remove();
    throw error;
  }
  process.env[variable] = folder;
  return remove;
}

/** A Node.js in the home of root (nvm) is out of reach for the lab's user. */
async function putNode(path: string): Promise<void> {
  const account = await labAccount();
  const [command, args] = account.as(process.execPath, ['--version']);
  if (spawnSync(command, args, { env: {} }).status === 0) symlinkSync(process.execPath, path);
  else copyFileSync(process.execPath, path);
}

export function builtProject(): string {
  const folder = process.env[variable];
  if (folder === undefined || !existsSync(folder))
    throw new Error('the lab has no build: run its tests with vitest.lab.config.ts');
  return folder;
}
