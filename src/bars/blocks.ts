import { badges } from '../attention/badge.ts';
import { byUrgency } from '../attention/order.ts';
import type { Placeholder } from '../config/placeholders.ts';
import type { Session, SessionId, Snapshot, State } from '../sessions/session.ts';
import { minutesLeft } from './ages.ts';
import type { Block, BlockSettings, Drawing } from './block.ts';
import { formatted, valuesOf, type Words } from './format.ts';
import { type Piece, pieceOf } from './piece.ts';
import { standing, summaryBlock, type Unit, unitPiece } from './session-blocks.ts';
import { levels, type Room, type Size } from './shrink.ts';
import { cutEnd } from './width.ts';

const urgency: readonly State[] = ['needs-input', 'review', 'busy', 'idle', 'unknown'];

/**
 * What a bar shows of this moment, from left to right. Open prompts stand leftmost: bars are right-aligned, so that
 * a prompt's options appear without moving any other block under the pointer. When the budget is too small, what
 * matters least shrinks first (shrink.ts).
 */
export function blocksOf(snapshot: Snapshot, around: Omit<Drawing, 'room'>): Block[] {
  const { names, settings, theme } = around;
  const sessions = snapshot.sessions.filter((session) => isShown(session, settings));
  const units = unitsOf(sessions, settings, names);
  const limited = new Set(limitedTo(settings.sessions, units));
  const rest = [...noticeBlock(snapshot, settings), ...quietBlock(snapshot, around)];
  let pieces: Piece[] = [];
  for (const room of levels) {
    const drawing = { ...around, room };
    const summed: Session[] = [];
    pieces = [];
    for (const unit of units) {
      const size = limited.has(unit) ? unitSize(unit, room) : 'summed';
      if (size === 'summed') summed.push(...sessionsOf(unit));
      else pieces.push(unitPiece(unit, drawing, size));
    }
    const summary = summaryBlock(summed, drawing);
    pieces.push(pieceOf([...(summary === null ? [] : [summary]), ...rest], theme));
    if (pieces.reduce((sum, { columns }) => sum + columns, 0) <= settings.budget) break;
  }
  return pieces.flatMap(({ blocks }) => blocks);
}

/** Whether it is in a state that the user wants to see. */
export function isShown({ state }: Session, { show }: Pick<BlockSettings, 'show'>): boolean {
  return show.includes(state);
}

function unitsOf(
  sessions: readonly Session[],
  { group, order }: BlockSettings,
  names: ReadonlyMap<SessionId, string>,
): Unit[] {
  const { badges: found, elsewhere } =
    group === 'workspace' ? badges(sessions) : { badges: [], elsewhere: sessions };
  const units: Unit[] = [
    ...found.map((badge) => ({ lead: badge.sessions[0], badge })),
    ...elsewhere.map((lead) => ({ lead, badge: null })),
  ];
  const rank = ({ lead }: Unit) => {
    const urgent = urgency.indexOf(lead.state);
    return order === 'state' ? urgent : Math.min(urgent, 1);
  };
  const nameOf = ({ lead }: Unit) => names.get(lead.id) ?? lead.name;
  return units.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (order === 'workspace' ? byWorkspace(a.lead, b.lead) : 0) ||
      (order === 'name' ? compared(nameOf(a), nameOf(b)) : 0) ||
      startOf(a) - startOf(b) ||
      (a.lead.id < b.lead.id ? -1 : 1),
  );
}

/** Numbered workspaces first; sessions that are on none stand last. */
function byWorkspace(a: Session, b: Session): number {
  const [left, right] = [a.place.workspace, b.place.workspace];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const numbers = (left.num ?? 1e9) - (right.num ?? 1e9);
  return numbers || compared(left.name, right.name);
}

/** By code units: the order is the same whatever the language of the machine is. */
function compared(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function sessionsOf({ lead, badge }: Unit): readonly Session[] {
  return badge?.sessions ?? [lead];
}

function startOf(unit: Unit): number {
  return Math.min(...sessionsOf(unit).map((session) => session.startedAt));
}

/** Who waits for the user has a block whatever the limit is. */
function limitedTo(limit: number, units: readonly Unit[]): Unit[] {
  const order = byUrgency(units.map(({ lead }) => lead)).map(({ id }) => id);
  return units.filter(({ lead }) => lead.state === 'needs-input' || order.indexOf(lead.id) < limit);
}

function unitSize({ lead }: Unit, room: Room): Size {
  if (lead.state === 'needs-input') return 'full';
  return lead.state === 'review' ? room.review : room.calm;
}

const quietWords: Words<Placeholder<'quiet'>, [string, string]> = {
  glyph: (glyph) => glyph,
  minutes: (_, minutes) => minutes,
};

export function quietBlock(
  { quiet }: Snapshot,
  { now, settings, theme }: Pick<Drawing, 'now' | 'settings' | 'theme'>,
): Block[] {
  if (quiet.until === null || quiet.until <= now) return [];
  const { glyph } = theme.faces.quiet;
  const minutes = `${minutesLeft(quiet.until, now)}`;
  const values = valuesOf(quietWords, glyph, minutes);
  const write = (form: keyof BlockSettings['format']) => formatted(settings.format[form], values) || minutes;
  return [standing('quiet', write('quiet'), write('quiet-short'))];
}

function noticeBlock({ notice }: Snapshot, { widths }: BlockSettings): Block[] {
  return notice === null ? [] : [standing('notice', cutEnd(notice, widths.notice))];
}
