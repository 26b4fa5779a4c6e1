import { createHash } from 'node:crypto';
import type { PromptId } from './prompt.ts';
import type { SessionId, SessionKey } from './session.ts';

const letters = 'abcdefghijklmnoqrstuvwxyz'; // no p: that is how a prompt's id begins
const alphanumerics = 'abcdefghijklmnopqrstuvwxyz0123456789';

function digest(parts: readonly (string | number | null)[], length: number, first: string): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest();
  let id = first === '' ? letters.charAt((bytes[0] ?? 0) % letters.length) : first;
  for (let i = 1; id.length < length; i++) id += alphanumerics.charAt((bytes[i] ?? 0) % alphanumerics.length);
  return id;
}

/** Each fact of a session brings the same key. */
const known = new WeakMap<SessionKey, SessionId>();

export function sessionIdOf(key: SessionKey): SessionId {
  const id = known.get(key) ?? (digest([key.bootId, key.pid, key.startTime], 5, '') as SessionId);
  known.set(key, id);
  return id;
}

/** `at`: when the prompt was first heard of, ms; `thread` and `inputKey` tell apart what was asked in the same ms. */
export function promptIdOf(
  session: SessionId,
  at: number,
  thread: string | null,
  inputKey: string | null,
): PromptId {
  return digest([session, at, thread, inputKey], 6, 'p') as PromptId;
}
