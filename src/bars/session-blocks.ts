import { basename } from 'node:path';
import type { Badge } from '../attention/badge.ts';
import type { Placeholder } from '../config/placeholders.ts';
import type { Prompt } from '../sessions/prompt.ts';
import type { Session, State } from '../sessions/session.ts';
import { ageOf } from './ages.ts';
import type { Block, BlockSettings, Drawing } from './block.ts';
import { formatted, type Values, valuesOf, type Words } from './format.ts';
import { optionBlocks } from './option-blocks.ts';
import { type Piece, pieceOf } from './piece.ts';
import type { Room, Size } from './shrink.ts';
import { oneLine } from './text.ts';
import type { Theme } from './theme.ts';
import { cutEnd, cutMiddle } from './width.ts';

/** Columns of what has no width of its own in the configuration. */
const longest = { other: 40, message: 80 };

/** The states as summaries count them. */
const counted: readonly State[] = ['needs-input', 'review', 'idle', 'busy', 'unknown'];

/** What stands behind one block: a session, or all those of a workspace, the most urgent of them first. */
export interface Unit {
  readonly lead: Session;
  readonly badge: Badge | null;
}

/** How a session as it is was drawn, by the room that there was: when one of many changes, the bar is drawn anew. */
interface Drawn {
  readonly settings: BlockSettings;
  readonly theme: Theme;
  readonly age: string;
  readonly name: string | undefined;
  readonly pieces: Map<Room, Piece>;
}
const drawn = new WeakMap<Session, Drawn>();

/** A unit's block, and behind it the options of what it waits for. `size` follows from the unit and the room. */
export function unitPiece(unit: Unit, drawing: Drawing, size: Exclude<Size, 'summed'>): Piece {
  if (unit.badge !== null) return draw(unit, drawing, size);
  const { pieces } = drawnOf(unit.lead, drawing);
  let piece = pieces.get(drawing.room);
  if (piece === undefined) {
    piece = draw(unit, drawing, size);
    pieces.set(drawing.room, piece);
  }
  return piece;
}

function drawnOf(session: Session, { names, now, settings, theme }: Drawing): Drawn {
  const age = ageOf(session, now);
  const name = names.get(session.id);
  const known = drawn.get(session);
  const holds = known?.settings === settings && known.theme === theme;
  if (holds && known.age === age && known.name === name) return known;
  const fresh = { settings, theme, age, name, pieces: new Map() };
  drawn.set(session, fresh);
  return fresh;
}

function draw(unit: Unit, drawing: Drawing, size: Size): Piece {
  const { lead } = unit;
  const block = unitBlock(unit, drawing, size);
  const prompt = lead.state === 'needs-input' ? shownPrompt(lead) : undefined;
  const options = prompt === undefined ? [] : optionBlocks(lead.id, prompt, drawing);
  return pieceOf([block, ...options], drawing.theme);
}

function unitBlock({ lead, badge }: Unit, drawing: Drawing, size: Size): Block {
  const { settings, theme, room } = drawing;
  const { glyph } = theme.faces[lead.state];
  const blocked = lead.state === 'needs-input';
  const values =
    badge === null ? valuesOf(sessionWords, lead, drawing) : valuesOf(groupWords, badge, drawing);
  const [long, short] =
    badge === null
      ? [settings.format.session, settings.format['session-short']]
      : [settings.format.group, settings.format['group-short']];
  const write = (format: typeof long) => formatted(format, values) || glyph;
  const isShort = blocked ? room.what === 0 : size === 'label';
  const isGlyph = blocked ? room.label === 0 : size === 'glyph';
  return {
    instance: lead.id,
    role: 'session',
    look: lead.state,
    session: lead.id,
    prompt: null,
    option: null,
    text: isGlyph ? glyph : write(isShort ? short : long),
    shortText: isGlyph ? glyph : write(short),
  };
}

/** Prompts of one session are asked one after the other: the one that the user picked, else the oldest. */
export function shownPrompt(session: Session): Prompt | undefined {
  return session.prompts.find((prompt) => prompt.pinned) ?? session.prompts[0];
}

const other = (text: string | null | undefined) => cutMiddle(text ?? '', longest.other);

const shared = {
  what: (session: Session, { settings, room }: Drawing) => {
    if (session.state !== 'needs-input') return '';
    const columns = Math.min(room.what ?? settings.widths.what, settings.widths.what);
    return cutMiddle(whatBlocks(session, shownPrompt(session)), columns);
  },
  pin: (session: Session, { theme }: Drawing) =>
    session.state === 'needs-input' && shownPrompt(session)?.pinned ? theme.pin : '',
};

const sessionWords: Words<Placeholder<'session'>, [Session, Drawing]> = {
  ...shared,
  state: ({ state }) => state,
  name: (session, drawing) => nameOf(drawing.names.get(session.id) ?? session.name, session, drawing),
  glyph: ({ state }, { theme }) => theme.faces[state].glyph,
  detail: (session, { settings }) => cutMiddle(detailOf(session), settings.widths.detail),
  agents: ({ background }) => (background.agents > 0 ? `+${background.agents}` : ''),
  shells: ({ background }) => (background.shells > 0 ? `${background.shells}` : ''),
  age: (session, { now }) => ageOf(session, now),
  branch: ({ branch }) => other(branch),
  folder: ({ cwd }) => other(basename(cwd)),
  workspace: ({ place }) => other(place.workspace?.name),
  output: ({ place }) => other(place.workspace?.output),
  model: ({ model }) => other(model),
  context: ({ contextPercent }) => (contextPercent === null ? '' : `${Math.round(contextPercent)}`),
  ports: ({ ports }) => other(ports.join(' ')),
  message: ({ lastMessage }) => cutEnd(lastMessage ?? '', longest.message),
  place: ({ place }) => (place.certainty === 'exact' ? '' : '?'),
  id: ({ id }) => id,
};

const groupWords: Words<Placeholder<'group'>, [Badge, Drawing]> = {
  what: ({ sessions: [lead] }, drawing) => shared.what(lead, drawing),
  pin: ({ sessions: [lead] }, drawing) => shared.pin(lead, drawing),
  state: ({ state }) => state,
  glyph: ({ state }, { theme }) => theme.faces[state].glyph,
  workspace: ({ workspace, sessions: [lead] }, drawing) => nameOf(workspace, lead, drawing),
  count: ({ sessions }) => (sessions.length > 1 ? `${sessions.length}` : ''),
  counts: ({ sessions }, drawing) => countsOf(sessions, drawing),
  name: ({ sessions: [lead] }, drawing) => nameOf(drawing.names.get(lead.id) ?? lead.name, lead, drawing),
  age: ({ sessions: [lead] }, { now }) => ageOf(lead, now),
};

function nameOf(name: string, session: Session, { settings, room }: Drawing): string {
  const { name: columns } = settings.widths;
  return cutMiddle(
    name,
    session.state === 'needs-input' ? Math.min(room.label ?? columns, columns) : columns,
  );
}

function whatBlocks(session: Session, prompt: Prompt | undefined): string {
  if (prompt === undefined) return session.reason ?? '';
  const others = session.prompts.length - 1;
  return joined(others > 0 ? `(+${others})` : '', ...asks(prompt));
}

/** Of several questions the one that is asked now. */
function asks({ title, text, questions, asking }: Prompt): readonly string[] {
  const question = questions[asking ?? 0];
  if (question === undefined) return [title, text];
  return [asking === null ? '' : `${asking + 1}/${questions.length}`, question.text];
}

function detailOf(session: Session): string {
  if (session.state === 'review') return session.reason ?? '';
  if (session.state !== 'busy') return '';
  if (session.compacting) return 'compacting';
  if (session.tool === null) return '';
  const { name, summary } = session.tool;
  // Of a path, the file's name says most.
  const isPath = summary.startsWith('/') && !/\s/.test(summary);
  return joined(name, isPath ? summary.slice(summary.lastIndexOf('/') + 1) : summary);
}

const summaryWords: Words<Placeholder<'summary'>, [readonly Session[], Session, Drawing]> = {
  counts: (sessions, _, drawing) => countsOf(sessions, drawing),
  total: (sessions) => `${sessions.length}`,
  glyph: (_, lead, { theme }) => theme.faces[lead.state].glyph,
  state: (_, lead) => lead.state,
};

/** `●1 ○3 ◐2` of these sessions; null where there are none. */
export function summaryBlock(sessions: readonly Session[], drawing: Drawing): Block | null {
  const lead = counted.map((state) => sessions.find((session) => session.state === state)).find(Boolean);
  if (lead === undefined) return null;
  const values = valuesOf(summaryWords, sessions, lead, drawing);
  const { summary, 'summary-short': short } = drawing.settings.format;
  return standing('summary', written(summary, values), written(short, values));
}

function written(format: Drawing['settings']['format']['summary'], values: Values): string {
  return formatted(format, values) || values('counts');
}

function countsOf(sessions: readonly Session[], { theme }: Drawing): string {
  return counted
    .map((state) => [state, sessions.filter((session) => session.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${theme.faces[state].glyph}${count}`)
    .join(' ');
}

/** A block that there is at most once. */
export function standing(role: 'summary' | 'quiet' | 'notice', text: string, shortText = text): Block {
  return {
    instance: role,
    role,
    look: role,
    session: null,
    prompt: null,
    option: null,
    text: oneLine(text),
    shortText,
  };
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
