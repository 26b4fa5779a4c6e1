import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
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

/** Waits for a command of the Bash tool; `signal` ends it. */
export async function bashEnded(
  child: ChildProcess,
  signal: AbortSignal,
): Promise<Result & { code: number | null }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  signal.addEventListener('abort', () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM'));
  const code = await new Promise<number | null>((closed) => child.on('close', closed));
  const text = output.trimEnd();
  if (code !== 0) return { failed: true, response: {}, text: `Exit code ${code}\n${text}`, code };
  return { ...bashDone(text), code };
}

/** The result of a command that has printed this. */
export function bashDone(stdout: string): Result {
  const response = {
    stdout,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: stdout === '',
  };
  return ok(response, stdout === '' ? '(Bash completed with no output)' : stdout);
}

/** Does what a tool does, as far as a test can see it. */
export function runTool(call: ToolCall): Result {
  const path = String(call.input.file_path);
  try {
    switch (call.tool) {
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
      case 'ExitPlanMode':
        return ok(
          { ...call.input, isAgent: false },
          'User has approved your plan. You can now start coding.',
        );
      default:
        return call.tool.startsWith('mcp__')
          ? ok([{ type: 'text', text: `echo: ${call.input.text}` }], `echo: ${call.input.text}`)
          : ok(call.input, JSON.stringify(call.input));
    }
  } catch (error) {
    return { failed: true, response: {}, text: error instanceof Error ? error.message : String(error) };
  }
}
