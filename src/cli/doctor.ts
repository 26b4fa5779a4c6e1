import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../bars/text.ts';
import { styles } from '../bars/theme.ts';
import { check as checkClaude } from '../claude/check.ts';
import { loadConfig, problemLine } from '../config/load.ts';
import { check as checkDaemon } from '../daemon/check.ts';
import { check as checkDesktop } from '../desktop/check.ts';
import { check as checkNotifications } from '../notifications/check.ts';
import type { Check } from '../system/check.ts';
import { jsonText } from '../system/json-text.ts';
import type { Context } from './context.ts';
import { configDirs, hooksTarget } from './hooks-target.ts';
import { faint, hasColours, painted } from './terminal.ts';

/** @returns 1 when something that was set up does not work. */
export async function doctor(context: Context, options: { readonly json?: true }): Promise<number> {
  const checks = await allChecks(context);
  process.stdout.write(
    options.json ? `${jsonText({ version: 1, checks })}\n` : report(checks, hasColours(context.env)),
  );
  return checks.some(({ status }) => status === 'broken') ? 1 : 0;
}

/** Each room looks at the outside world by itself; one that fails at that is itself what is broken. */
async function allChecks(context: Context): Promise<readonly Check[]> {
  const { paths, uid } = context;
  const rooms: Readonly<Record<string, () => Promise<readonly Check[]> | readonly Check[]>> = {
    node: () => [checkNode()],
    daemon: () => checkDaemon(paths, uid),
    claude: () => checkHooks(context),
    desktop: () => checkDesktop(),
    notifications: () => checkNotifications(context.env, uid),
    config: () => [checkConfig(join(paths.config, 'config.toml'))],
  };
  const found = await Promise.all(
    Object.entries(rooms).map(async ([name, look]): Promise<readonly Check[]> => {
      try {
        return await look();
      } catch (error) {
        return [
          {
            name,
            status: 'broken',
            detail: String(error),
            hint: 'this is a fault of tsmux; please report it',
          },
        ];
      }
    }),
  );
  return found.flat();
}

function checkHooks(context: Context): readonly Check[] {
  const { env, paths } = context;
  const { target, scripts } = hooksTarget(context, undefined);
  const dirs = configDirs(env, paths.home);
  return checkClaude({ home: paths.home, configDirs: dirs, hooks: target.hooks, scripts, path: env.PATH });
}

function checkNode(): Check {
  return { name: 'node', status: 'ok', detail: `${process.version} at ${process.execPath}`, hint: null };
}

function checkConfig(file: string): Check {
  const [problem, ...more] = loadConfig(file).problems;
  if (problem === undefined) {
    const detail = existsSync(file) ? file : `no ${file}: the defaults`;
    return { name: 'config', status: 'ok', detail, hint: null };
  }
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return {
    name: 'config',
    status: 'broken',
    detail: `${problemLine(problem)}${others}`,
    hint: 'mend it; until then the last good configuration is in force, or the defaults where there was none',
  };
}

const MARKS = { ok: '✓', absent: '–', warning: '!', broken: '✗' } as const;
const FACES = { ok: 'review', absent: 'unknown', warning: 'needs-input', broken: 'needs-input' } as const;

export function report(checks: readonly Check[], colours: boolean): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, status, detail, hint }) => {
      const mark = painted(MARKS[status], styles.plain.faces[FACES[status]], colours);
      const todo = hint === null ? '' : `\n  ${' '.repeat(width)}  ${faint(`→ ${oneLine(hint)}`, colours)}`;
      return `${mark} ${name.padEnd(width)}  ${oneLine(detail)}${todo}\n`;
    })
    .join('');
}
