import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { ensurePrivateDirectory, writeAtomically } from '../system/atomic-write.ts';
import { createBootTime } from '../system/boot-time.ts';
import { findProgram } from '../system/find-program.ts';
import { quoteForSh } from '../system/quote.ts';
import { HOLD_PATH, SILENCE } from './hold.ts';

/**
 * What Claude Code runs: for a question (PermissionRequest) a script that asks the daemon and holds the prompt until it
 * is answered, for every other event one that only leaves it in the daemon's inbox, and waits for nobody. Both are POSIX
 * sh; they print nothing but an answer, and end with 0 whatever happens.
 */
export interface HookScripts {
  readonly event: string;
  readonly hold: string;
}

export type HookClient =
  /** OpenBSD netcat, without -N: it must not close its half while the reply is waited for. */
  | { readonly kind: 'nc'; readonly path: string }
  | { readonly kind: 'socat'; readonly path: string }
  | { readonly kind: 'curl'; readonly path: string }
  /** No such program: `tsmux hook` itself, which starts Node.js for each question. */
  | { readonly kind: 'node' };

export interface HookScriptOptions {
  readonly client: HookClient;
  /** Absolute paths, written into the scripts: hooks may start with a bare PATH. */
  readonly socket: string;
  readonly node: string;
  readonly tsmux: string;
  readonly cat: string;
  /** Instead of `SILENCE`, s; only tests give one. */
  readonly silence?: number;
}

/** In the inbox, while a daemon reads it: its pid. */
export const DAEMON = 'daemon';

export function hookScripts(options: HookScriptOptions): HookScripts {
  return { event: eventScript(options), hold: holdScript(options) };
}

/**
 * Claude Code starts it for each tool call, so it starts one process and no more: cat. Its file is whole when it is JSON,
 * and bears the pid of Claude Code, and the time, before it: `inbox.ts` reads them.
 */
function eventScript({ socket, cat }: HookScriptOptions): string {
  return `#!/bin/sh
# Written by "tsmux setup": tells the tsmux daemon what Claude Code does. Changes are lost at the next setup.
socket=${quoteForSh(socket)}
inbox=\${socket%/*}/inbox
exec 2>/dev/null
# Nothing is left for a daemon that will not come.
read -r daemon <"$inbox/${DAEMON}" && [ -d "/proc/$daemon" ] || exit 0
# Without a clock that needs a process of its own: seconds since boot.
read -r uptime rest </proc/uptime
umask 077
{ printf '%s %s\\n' "$PPID" "$uptime" && ${quoteForSh(cat)}; } >"$inbox/$$.$uptime"
exit 0
`;
}

/** Asks, and prints the body of the reply, however late it comes. */
function holdScript(options: HookScriptOptions): string {
  const { client, socket, node, tsmux, cat, silence = SILENCE } = options;
  const fallback = `exec ${quoteForSh(node)} ${quoteForSh(tsmux)} hook`;
  const head = `#!/bin/sh
# Written by "tsmux setup": asks the tsmux daemon what Claude Code asks. Changes are lost at the next setup.
socket=${quoteForSh(socket)}
[ -S "$socket" ] || exit 0
`;
  if (client.kind === 'node') return `${head}${fallback}\n`;
  return `${head}client=${quoteForSh(client.path)}
[ -x "$client" ] || ${fallback}
exec 2>/dev/null
read -r uptime rest </proc/uptime
# Claude Code may end only this process, not its group: the client must not stay and hold the prompt.
${client.kind === 'curl' ? curlCall(silence) : rawCall(client.kind, { socket, cat, silence })}
wait $!
exit 0
`;
}

/**
 * curl reads the body, and prints the answer, by itself; what is started aside has no stdin but the one that it is given.
 * It is KILLed: a TERM is lost on a process that has only just been forked and still has the trap's handler. -q: the
 * user's own .curlrc must not change what is sent.
 */
function curlCall(silence: number): string {
  return `trap 'kill -KILL $!; exit 0' TERM INT HUP
{
  "$client" -q -sfN -y ${silence} -Y 1 --noproxy '*' --unix-socket "$socket" -H 'Content-Type: application/json' -H 'Expect:' \\
    -H "claude-pid: $PPID" -H "hook-uptime: $uptime" --data-binary @- 'http://tsmux${HOLD_PATH}' <&3 3<&- &
} 3<&0`;
}

/**
 * The request is written by the script itself, which must know the body's length; HTTP/1.0 has no chunks. dash runs a
 * plain command with vfork, in a here-document too. Only what is answered is for Claude Code, without the blanks before it.
 */
function rawCall(
  kind: 'nc' | 'socat',
  { socket, cat, silence }: { readonly socket: string; readonly cat: string; readonly silence: number },
): string {
  const call =
    kind === 'nc'
      ? `"$client" -w ${silence} -U "$socket"`
      : `"$client" -T ${silence} -,ignoreeof ${quoteForSh(`UNIX-CONNECT:${socatEscaped(socket)}`)}`;
  return `LC_ALL=C
body=$(${quoteForSh(cat)})
cr='\r'
post() {
  ${call} <<END
POST ${HOLD_PATH} HTTP/1.0$cr
Content-Type: application/json$cr
Content-Length: $((\${#body} + 1))$cr
claude-pid: $PPID$cr
hook-uptime: $uptime$cr
$cr
$body
END
}
hold() {
  reply=$(post)
  blank="$cr
$cr
"
  case $reply in
  'HTTP/1.1 200 '*"$blank"*{*) printf '{%s\\n' "\${reply#*"$blank"*{}" ;;
  esac
}
leader=
read -r stat </proc/$$/stat && stat=\${stat##*) } && set -- $stat && [ "$3" = $$ ] && leader=1
trap 'trap "" TERM; [ -n "$leader" ] && kill -TERM 0; kill $!; exit 0' TERM INT HUP
hold &`;
}

/** socat(1), ADDRESS SPECIFICATIONS: these characters end an address or begin a group. */
function socatEscaped(path: string): string {
  return path.replace(/[\\:,!"'([{]/g, '\\$&');
}

const bootTime = createBootTime();

/**
 * When the hook's script began, ms since the epoch. It sends `hook-uptime`, the first field of /proc/uptime (10 ms
 * resolution); `tsmux hook` sends `hook-start`. Null where neither makes sense.
 *
 * @param within how long ago it can have been, ms. A hook is posted within moments: anything else is a clock that was
 * set, or that of a container.
 */
export function hookTime(
  headers: Readonly<Record<string, unknown>>,
  now: number,
  within = 60_000,
): number | null {
  const start = Number(headers['hook-start'] ?? Number.NaN);
  if (Number.isFinite(start)) return plausible(start, now, within);
  const began = Number(headers['hook-uptime'] ?? Number.NaN);
  if (!Number.isFinite(began)) return null;
  return plausible(bootTime(now) + Math.round(began * 1000), now, within);
}

function plausible(time: number, now: number, within: number): number | null {
  return time <= now + 50 && time > now - within ? Math.min(time, now) : null;
}

/** The best client of this machine, by the cost of one call: nc 1.2 ms, socat 2.6 ms, curl 6.5 ms, node 33–90 ms. */
export function findHookClient(path: string | undefined): HookClient {
  for (const name of ['nc.openbsd', 'nc']) {
    const nc = findProgram(name, path);
    if (nc !== null && isOpenBsdNetcat(nc)) return { kind: 'nc', path: nc };
  }
  const socat = findProgram('socat', path);
  if (socat !== null) return { kind: 'socat', path: socat };
  const curl = findProgram('curl', path);
  return curl === null ? { kind: 'node' } : { kind: 'curl', path: curl };
}

/** Other netcats have no Unix sockets, or close the connection at the end of their input. */
function isOpenBsdNetcat(path: string): boolean {
  const { stdout, stderr } = spawnSync(path, ['-h'], { timeout: 2000, encoding: 'utf8' });
  return `${stdout}${stderr}`.includes('OpenBSD netcat');
}

/** Puts a script where the settings say it is. Throws what node:fs throws. */
export function writeHookScript(path: string, script: string): void {
  ensurePrivateDirectory(dirname(path));
  writeAtomically(path, script, 0o700);
}
