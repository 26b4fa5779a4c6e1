import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ToolCall } from '../../claude-code/scenarios.ts';

export interface Result {
  readonly failed: boolean;
  /** `tool_response` of PostToolUse. */
  readonly response: object;
  /** What the model is told. */
  readonly text: string;
  /** Where the session is after a `cd`. */
  readonly cwd?: string;
}

const ok = (response: object, text: string): Result => ({ failed: false, response, text });

/** As Claude Code's Bash tool: a bash in a session of its own, without a terminal. */
export function startBash(command: string, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('/bin/bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function bash(
  call: ToolCall,
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Result> {
  const command = String(call.input.command);
  const done = (stdout: string) => ({
    stdout,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: stdout === '',
  });
  // A stand-in reaches out to nobody.
  if (/^npm /.test(command)) return ok(done(''), '(Bash completed with no output)');
  const child = startBash(command, cwd, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  signal.addEventListener('abort', () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
  const code = await new Promise<number | null>((closed) => child.on('close', closed));
  const text = output.trimEnd();
  if (code !== 0) return { failed: true, response: {}, text: `Exit code ${code}\n${text}` };
  const into = /^cd (\S+)/.exec(command)?.[1];
  const result = ok(done(text), text === '' ? '(Bash completed with no output)' : text);
  return into === undefined ? result : { ...result, cwd: resolve(cwd, into) };
}

/** Does what a tool does, as far as a test can see it. */
export async function runTool(
  call: ToolCall,
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<Result> {
  const path = String(call.input.file_path);
  try {
    switch (call.tool) {
      case 'Bash':
        return await bash(call, where.cwd, where.env, where.signal);
      case 'Write':
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, String(call.input.content));
        return ok({ type: 'create', filePath: path }, `File created successfully at: ${path}`);
      case 'Edit': {
        const text = readFileSync(path, 'utf8');
        writeFileSync(path, text.replace(String(call.input.old_string), String(call.input.new_string)));
        return ok({ filePath: path }, `The file ${path} has been updated successfully.`);
      }
      case 'Read':
        return ok({ type: 'text', file: { filePath: path } }, readFileSync(path, 'utf8'));
      default:
        return ok(call.input, JSON.stringify(call.input));
    }
  } catch (error) {
    return { failed: true, response: {}, text: error instanceof Error ? error.message : String(error) };
  }
}
