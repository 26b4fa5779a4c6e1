import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod/mini';
import type { Handler } from './settings.ts';

const Decision = z.object({
  behavior: z.enum(['allow', 'deny']),
  message: z.optional(z.string()),
  interrupt: z.optional(z.boolean()),
  updatedInput: z.optional(z.record(z.string(), z.unknown())),
  updatedPermissions: z.optional(z.array(z.looseObject({ type: z.string(), mode: z.optional(z.string()) }))),
});
export type Decision = z.infer<typeof Decision>;
const Output = z.object({ hookSpecificOutput: z.object({ decision: Decision }) });

export interface HookCall {
  /** What the hook decided; null where it said nothing that counts. Async hooks and failed ones never decide. */
  readonly decision: Promise<Decision | null>;
  /** What is shown to the user of a failed hook; null where it is silent. */
  readonly noise: Promise<string | null>;
  /** Ends the hook as Claude Code does after a No: SIGTERM to its process group, SIGKILL 3 s later. */
  end(): void;
}

const DEFAULT_TIMEOUT = 600;

function decisionIn(stdout: string): Decision | null {
  try {
    return Output.parse(JSON.parse(stdout)).hookSpecificOutput.decision;
  } catch {
    return null;
  }
}

/**
 * Runs one command hook. Exec form (`args` given) is a child of Claude Code itself, shell form a child of its
 * `/bin/sh`; both lead a session of their own and have no terminal.
 */
export function callHook(
  handler: Handler,
  payload: object,
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): HookCall {
  const command = handler.command ?? '';
  const [file, args] = handler.args === undefined ? ['/bin/sh', ['-c', command]] : [command, handler.args];
  const child: ChildProcess = spawn(file, args, {
    ...where,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A hook may end without reading its input.
  child.stdin?.on('error', () => {});
  child.stdin?.end(`${JSON.stringify(payload)}\n`);
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has just ended.
    }
  };
  const end = () => {
    signal('SIGTERM');
    setTimeout(() => signal('SIGKILL'), 3000).unref();
  };
  const timer = setTimeout(end, (handler.timeout ?? DEFAULT_TIMEOUT) * 1000).unref();
  const ended = new Promise<{ code: number | null; error: string | null }>((resolve) => {
    child.on('error', (error) => resolve({ code: null, error: error.message }));
    child.on('close', (code) => resolve({ code, error: null }));
  });
  void ended.then(() => clearTimeout(timer));
  if (handler.async === true) {
    return { decision: Promise.resolve(null), noise: Promise.resolve(null), end: () => {} };
  }
  return {
    decision: ended.then(({ code }) => (code === 0 ? decisionIn(stdout) : null)),
    noise: ended.then(({ code, error }) => {
      if (error !== null) return `Error occurred while executing hook command: ${error}`;
      return code === 0 || code === null ? null : stderr.trim();
    }),
    end,
  };
}
