import { blocksOf } from '../../src/bars/blocks.ts';
import type { View } from '../../src/bars/kind.ts';
import { themeOf } from '../../src/bars/theme.ts';
import { readConfig } from '../../src/config/load.ts';
import type { BarConfig } from '../../src/config/schema.ts';
import { displayNames } from '../../src/sessions/labels.ts';
import type { Snapshot } from '../../src/sessions/session.ts';
import { now } from './moment.ts';

/** The `[bar]` of a config.toml that says this. */
export function barOf(source = ''): BarConfig {
  const { config, problems } = readConfig(source, 'config.toml');
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return config.bar;
}

const program = ['/usr/bin/node', '/opt/my tools: 1/tsmux.js'];

/** A moment as a bar is given it to draw. */
export function viewOf(snapshot: Snapshot, more: Partial<View> = {}, bar = barOf()): View {
  const theme = themeOf(bar);
  const names = displayNames(snapshot.sessions);
  return {
    blocks: blocksOf(snapshot, { names, now, theme, settings: bar }),
    theme,
    sessions: snapshot.sessions,
    names,
    clicks: bar.clicks,
    program,
    wrapped: bar.wrapped,
    ...more,
  };
}
