import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Whether logind knows that the user's graphical session is locked (org.freedesktop.login1(5), LockedHint). False
 * proves nothing: swaylock and i3lock tell logind nothing.
 */
export async function isScreenLocked(uid: number): Promise<boolean> {
  try {
    const session = await property('show-user', String(uid), 'Display');
    return session !== '' && (await property('show-session', session, 'LockedHint')) === 'yes';
  } catch {
    return false;
  }
}

async function property(verb: string, of: string, name: string): Promise<string> {
  const { stdout } = await run('loginctl', [verb, of, '--property', name, '--value'], { timeout: 2_000 });
  return stdout.trim();
}
