import type { BarConfig } from '../../config/schema.ts';
import { displayNames } from '../../sessions/labels.ts';
import type { Observation } from '../../sessions/observation.ts';
import { createRegistry } from '../../sessions/registry.ts';
import type { SessionKey } from '../../sessions/session.ts';
import { blocksOf } from '../blocks.ts';
import { type I3barBlock, i3barBlocks } from '../i3bar.ts';
import { themeOf } from '../theme.ts';
import day from './demo-day.json' with { type: 'json' };

/** How long the recorded day is, in its own minutes. */
export const dayMinutes = day.minutes;
/** The minute that shows most. */
export const bestMinute = day.frame;

const minute = 60_000;

/**
 * The bar at one minute of the recorded day: its observations up to then go the way that those of real sessions go.
 * `begin`: when the day began, ms since the epoch.
 */
export function demoBlocks(atMinute: number, begin: number, bar: BarConfig): I3barBlock[] {
  const registry = createRegistry();
  for (const event of day.events) {
    if (event.minute > atMinute) break;
    registry.observe(keyOf(event.session), observationOf(event, begin));
  }
  const theme = themeOf(bar);
  const sessions = registry.all();
  const around = { names: displayNames(sessions), now: begin + atMinute * minute, settings: bar, theme };
  return i3barBlocks(blocksOf({ sessions, quiet: { until: null }, notice: null }, around), theme);
}

function observationOf(event: (typeof day.events)[number], begin: number): Observation {
  const { observation } = event;
  const startedAt = 'startedAt' in observation ? { startedAt: begin + Number(observation.startedAt) } : {};
  // What a JSON file says cannot be typed closer; a test plays all of it.
  return { ...observation, ...startedAt, at: begin + event.minute * minute } as unknown as Observation;
}

function keyOf(session: string): SessionKey {
  const sessions = [...new Set(day.events.map((event) => event.session))];
  return { bootId: 'demo', pid: 4000 + sessions.indexOf(session), startTime: 0 };
}
