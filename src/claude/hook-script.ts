import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensurePrivateDirectory, writeAtomically } from '../system/atomic-write.ts';
import { findProgram } from '../system/find-program.ts';

/**
 * The script that Claude Code runs for every event. It posts the event to the daemon and prints the reply's body; it
 * prints nothing else and ends with 0 whatever happens. It is POSIX sh and forks as little as can be: Claude Code
 * starts one for each tool call.
 */
export type HookClient =
  /** OpenBSD netcat, without -N: it must not close its half while the reply is waited for. */
  | { readonly kind: 'nc'; readonly path: string }
  | { readonly kind: 'socat'; readonly path: string }
  | { readonly kind: 'curl'; readonly path: string }
  /** No such program: `tsmux hook` itself, which starts Node.js for each event. */
  | { readonly kind: 'node' };

export interface HookScriptOptions {
  readonly client: HookClient;
  /** Absolute paths, written into the script: hooks may start with a bare PATH. */
  readonly socket: string;
  readonly node: string;
  readonly tsmux: string;
  readonly cat: string;
}

/** Seconds after which a daemon that does not answer is left alone; a permission prompt waits as long as Claude does. */
const patience = 2;

export function hookScript(options: HookScriptOptions): string {
  const { client, socket, node, tsmux, cat } = options;
  const fallback = `exec ${quote(node)} ${quote(tsmux)} hook`;
  const head = `#!/bin/sh
# Written by "tsmux setup": tells the tsmux daemon what Claude Code does. Changes are lost at the next setup.
socket=${quote(socket)}
[ -S "$socket" ] || exit 0
`;
  if (client.kind === 'node') return `${head}${fallback}\n`;
  return `${head}client=${quote(client.path)}
[ -x "$client" ] || ${fallback}
exec 2>/dev/null
LC_ALL=C
body=$(${quote(cat)})
# Without a clock that needs no process of its own: seconds since boot.
read -r uptime rest </proc/uptime
${client.kind === 'curl' ? curlRequest() : rawRequest(client.kind, socket)}
case $body in
*'"hook_event_name":"PermissionRequest"'* | *'"hook_event_name": "PermissionRequest"'*) ;;
*)
  post ${timeLimit[client.kind]} >/dev/null
  exit 0
  ;;
esac
hold() {
${client.kind === 'curl' ? '  post' : rawReply}
}
# Claude Code may end only this process, not its group: the client must not stay and hold the prompt.
leader=
read -r stat </proc/$$/stat && stat=\${stat##*) } && set -- $stat && [ "$3" = $$ ] && leader=1
trap 'trap "" TERM; [ -n "$leader" ] && kill -TERM 0; kill $!; exit 0' TERM INT HUP
hold &
wait $!
exit 0
`;
}

const timeLimit = { nc: `-w ${patience}`, socat: `-T ${patience}`, curl: `-m ${patience}` };

/** The request is written by the script itself. dash runs a plain command with vfork, in a here-document too. */
function rawRequest(kind: 'nc' | 'socat', socket: string): string {
  const call =
    kind === 'nc'
      ? '"$client" "$@" -U "$socket"'
      : `"$client" "$@" -,ignoreeof ${quote(`UNIX-CONNECT:${socatEscaped(socket)}`)}`;
  return `cr='\r'
post() {
  ${call} <<END
POST /v1/hook HTTP/1.1$cr
Host: tsmux$cr
Connection: close$cr
Content-Type: application/json$cr
Content-Length: $((\${#body} + 1))$cr
claude-pid: $PPID$cr
hook-uptime: $uptime$cr
$cr
$body
END
}`;
}

/** Only the body of a reply is for Claude Code. */
const rawReply = `  reply=$(post)
  blank="$cr
$cr
"
  case $reply in
  'HTTP/1.1 200 '*"$blank"?*) printf '%s\\n' "\${reply#*"$blank"}" ;;
  esac`;

/** socat(1), ADDRESS SPECIFICATIONS: these characters end an address or begin a group. */
function socatEscaped(path: string): string {
  return path.replace(/[\\:,!"'([{]/g, '\\$&');
}

/** -q: the user's own .curlrc must not change what is sent. */
function curlRequest(): string {
  return `post() {
  "$client" -q -sf --noproxy '*' "$@" --unix-socket "$socket" -H 'Content-Type: application/json' -H 'Expect:' \\
    -H "claude-pid: $PPID" -H "hook-uptime: $uptime" --data-binary @- http://tsmux/v1/hook <<END
$body
END
}`;
}

/** For sh: nothing is special between single quotes but their end. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * When the hook's script began, ms since the epoch. It sends `hook-uptime`, the first field of /proc/uptime (10 ms
 * resolution); `tsmux hook` sends `hook-start`. Null where neither makes sense.
 */
export function hookTime(headers: Readonly<Record<string, unknown>>, now: number): number | null {
  const start = Number(headers['hook-start'] ?? Number.NaN);
  if (Number.isFinite(start)) return plausible(start, now);
  const began = Number(headers['hook-uptime'] ?? Number.NaN);
  if (!Number.isFinite(began)) return null;
  return plausible(Math.round(now - (uptime() - began) * 1000), now);
}

/** A hook is posted within moments; anything else is a clock that was set. */
function plausible(time: number, now: number): number | null {
  return time <= now + 50 && time > now - 600_000 ? Math.min(time, now) : null;
}

function uptime(): number {
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
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

/** Puts the script where the settings say it is. Throws what node:fs throws. */
export function writeHookScript(path: string, script: string): void {
  ensurePrivateDirectory(dirname(path));
  writeAtomically(path, script, 0o700);
}
