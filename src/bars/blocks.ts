import { displayNames } from '../sessions/labels.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Session, SessionId, Snapshot, State } from '../sessions/session.ts';
import { levels, type Room } from './shrink.ts';
import { oneLine } from './text.ts';
import type { Look, Theme } from './theme.ts';
import { cutEnd, cutMiddle, widthOf } from './width.ts';

/** One clickable piece of bar text; every bar's own form is made from these. */
export interface Block {
  /** Unique on the bar: `k3f7`, `k3f7/p7c2/1`, `summary`, `quiet`, `notice`. */
  readonly instance: string;
  readonly role: 'session' | 'option' | 'summary' | 'quiet' | 'notice';
  /** Which face of the theme it wears. */
  readonly look: Look;
  readonly session: SessionId | null;
  /** For an option: of which prompt. */
  readonly prompt: PromptId | null;
  /** One safe line, not escaped for any markup, without the padding of its face. */
  readonly text: string;
  /** For bars that have even less room than the budget. */
  readonly shortText: string;
}

export interface BlockSettings {
  /** Columns that all blocks may take together, padding included. */
  readonly budget: number;
  readonly order: 'state' | 'started';
}

/** Columns of what has no business being longer, even where there is room. */
const longest = { label: 24, detail: 24, rule: 40, ruleSource: 400, choice: 24, notice: 60 };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const urgency: readonly State[] = ['needs-input', 'review', 'busy', 'idle', 'unknown'];

/**
 * What a bar shows of this moment, from left to right. Open prompts stand leftmost: bars are right-aligned, so that
 * a prompt's options appear without moving any other block under the pointer. When the budget is too small, what
 * matters least shrinks first (shrink.ts).
 */
export function blocksOf(
  snapshot: Snapshot,
  around: { readonly now: number; readonly settings: BlockSettings; readonly theme: Theme },
): Block[] {
  const { now, settings, theme } = around;
  const names = displayNames(snapshot.sessions);
  const sessions = inOrder(snapshot.sessions, settings.order);
  const rest = [...noticeBlock(snapshot), ...quietBlock(snapshot, now, theme)];
  let blocks: Block[] = [];
  for (const room of levels) {
    blocks = [...sessionBlocks(sessions, { names, now, theme, room }), ...rest];
    if (columnsOf(blocks, theme) <= settings.budget) break;
  }
  return blocks;
}

/** Columns that the blocks take together; what stands between them is not counted. */
export function columnsOf(blocks: readonly Block[], theme: Theme): number {
  return blocks.reduce((sum, block) => sum + widthOf(block.text) + 2 * theme.faces[block.look].padding, 0);
}

/**
 * When the text changes by time alone, ms since the epoch; null when nothing on the bar shows a time, so that a
 * quiet bar needs no timer.
 */
export function nextChange(snapshot: Snapshot, now: number): number | null {
  const changes = snapshot.sessions.filter(showsAge).map((session) => nextAge(session.since, now));
  const { until } = snapshot.quiet;
  if (until !== null && until > now) changes.push(until - (minutesLeft(until, now) - 1) * minute);
  return changes.length === 0 ? null : Math.min(...changes);
}

interface Drawing {
  readonly names: ReadonlyMap<SessionId, string>;
  readonly now: number;
  readonly theme: Theme;
  readonly room: Room;
}

function inOrder(sessions: readonly Session[], order: BlockSettings['order']): Session[] {
  const rank = (session: Session) => {
    const urgent = urgency.indexOf(session.state);
    return order === 'state' ? urgent : Math.min(urgent, 1);
  };
  return sessions.toSorted(
    (a, b) => rank(a) - rank(b) || a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1),
  );
}

function sessionBlocks(sessions: readonly Session[], drawing: Drawing): Block[] {
  const { room } = drawing;
  const summed = sessions.filter((session) => sizeOf(session, room) === 'summed');
  const shown = sessions.filter((session) => sizeOf(session, room) !== 'summed');
  return [
    ...shown.flatMap((session) => sessionAndOptions(session, drawing)),
    ...summaryBlock(summed, drawing),
  ];
}

function sizeOf(session: Session, room: Room): Room['calm'] {
  if (session.state === 'needs-input') return 'full';
  return session.state === 'review' ? room.review : room.calm;
}

function sessionAndOptions(session: Session, drawing: Drawing): Block[] {
  const { names, theme, room } = drawing;
  const { glyph } = theme.faces[session.state];
  const name = names.get(session.id) ?? session.name;
  const blocked = session.state === 'needs-input';
  const short = joined(glyph, cutMiddle(name, blocked ? room.label : longest.label));
  const size = sizeOf(session, room);
  const prompt = blocked ? shownPrompt(session) : undefined;
  const text = blocked
    ? withWhat(short, whatBlocks(session, prompt), room.what)
    : size === 'full'
      ? joined(short, ...details(session, drawing.now))
      : size === 'label'
        ? short
        : glyph;
  const block: Block = {
    instance: session.id,
    role: 'session',
    look: session.state,
    session: session.id,
    prompt: null,
    text,
    shortText: size === 'glyph' ? glyph : short,
  };
  return prompt === undefined ? [block] : [block, ...optionBlocks(session.id, prompt, theme, room)];
}

/** Prompts of one session are asked one after the other: the one that the user picked, else the oldest. */
function shownPrompt(session: Session): Prompt | undefined {
  return session.prompts.find((prompt) => prompt.pinned) ?? session.prompts[0];
}

function whatBlocks(session: Session, prompt: Prompt | undefined): string {
  if (prompt === undefined) return session.reason ?? '';
  const others = session.prompts.length - 1;
  return joined(others > 0 ? `(+${others})` : '', prompt.title, prompt.text);
}

function withWhat(short: string, what: string, columns: number): string {
  const fitting = cutMiddle(what, columns);
  return fitting === '' ? short : `${short} · ${fitting}`;
}

function details(session: Session, now: number): string[] {
  const { background } = session;
  const age = showsAge(session) ? ageText(now - session.since) : '';
  if (session.state === 'review') return [cutMiddle(session.reason ?? '', longest.detail), age];
  if (session.state !== 'busy') return [];
  return [
    cutMiddle(activity(session), longest.detail),
    background.agents > 0 ? `+${background.agents}` : '',
    age,
  ];
}

function activity(session: Session): string {
  if (session.compacting) return 'compacting';
  if (session.tool === null) return '';
  const { name, summary } = session.tool;
  // Of a path, the file's name says most.
  const isPath = summary.startsWith('/') && !/\s/.test(summary);
  return joined(name, isPath ? summary.slice(summary.lastIndexOf('/') + 1) : summary);
}

function optionBlocks(session: SessionId, prompt: Prompt, theme: Theme, room: Room): Block[] {
  if (prompt.answerable === 'no') return [];
  const { glyph } = theme.faces.option;
  return prompt.options.flatMap((option) => {
    const text = optionText(option, glyph, room.options);
    if (text === null) return [];
    const block: Block = {
      instance: `${session}/${prompt.id}/${option.key}`,
      role: 'option',
      look: 'option',
      session,
      prompt: prompt.id,
      text,
      shortText: option.means === 'allow-always' ? text : option.means === 'go' ? glyph : option.key,
    };
    return [block];
  });
}

/**
 * null: not offered here. A rule that allows for good is offered only where it shows whole; a change of Claude's
 * mode is never one click away.
 */
function optionText(option: Option, goGlyph: string, labels: Room['options']): string | null {
  switch (option.means) {
    case 'go':
      return goGlyph;
    case 'mode':
      return null;
    case 'allow-always': {
      if (labels !== 'labels' || option.label.length > longest.ruleSource) return null;
      const rule = oneLine(option.label.replace(ALWAYS, ''));
      return rule !== '' && widthOf(rule) <= longest.rule ? `${option.key} Always ${rule}` : null;
    }
    case 'allow':
    case 'deny':
    case 'choice':
      if (labels === 'none') return null;
      return labels === 'digits' ? option.key : joined(option.key, optionLabel(option));
  }
}

/** Claude's own words before the rule ("Yes, and don't ask again for: npm install *"), or tsmux's ("Always: …"). */
const ALWAYS = /^(?:yes,? and (?:don['’]t ask again for|always allow):?|always(?: allow)?:?)\s*/i;

function optionLabel(option: Option): string {
  if (option.means === 'allow' && /^yes\b/i.test(option.label)) return 'Yes';
  if (option.means === 'deny' && /^no\b/i.test(option.label)) return 'No';
  return cutEnd(option.label, longest.choice);
}

/** `○3 ◐2`: how many sessions have no block of their own any more. */
function summaryBlock(sessions: readonly Session[], { theme }: Drawing): Block[] {
  const counts = (['review', 'idle', 'busy', 'unknown'] as const).flatMap((state) => {
    const count = sessions.filter((session) => session.state === state).length;
    return count === 0 ? [] : [`${theme.faces[state].glyph}${count}`];
  });
  return counts.length === 0 ? [] : [standing('summary', counts.join(' '))];
}

function quietBlock({ quiet }: Snapshot, now: number, theme: Theme): Block[] {
  if (quiet.until === null || quiet.until <= now) return [];
  return [standing('quiet', joined(theme.faces.quiet.glyph, `${minutesLeft(quiet.until, now)}m`))];
}

function noticeBlock({ notice }: Snapshot): Block[] {
  return notice === null ? [] : [standing('notice', cutEnd(notice, longest.notice))];
}

/** A block that there is at most once. */
function standing(role: 'summary' | 'quiet' | 'notice', text: string): Block {
  return { instance: role, role, look: role, session: null, prompt: null, text, shortText: text };
}

function showsAge(session: Session): boolean {
  return session.state === 'review' || session.state === 'busy';
}

/** `2m`, `3h`, `2d`; nothing for less than a minute. */
function ageText(age: number): string {
  if (age < minute) return '';
  if (age < hour) return `${Math.floor(age / minute)}m`;
  return age < day ? `${Math.floor(age / hour)}h` : `${Math.floor(age / day)}d`;
}

function nextAge(since: number, now: number): number {
  const age = Math.max(0, now - since);
  const unit = age < hour ? minute : age < day ? hour : day;
  return since + (Math.floor(age / unit) + 1) * unit;
}

function minutesLeft(until: number, now: number): number {
  return Math.ceil((until - now) / minute);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
