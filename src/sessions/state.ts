import { type Facts, latest, type TurnEnd, type TurnStart } from './facts.ts';
import { followsWithin, isOpen, levelSince, promptSince } from './prompts.ts';
import type { State } from './session.ts';

export interface Condition {
  readonly state: State;
  /** ms since the epoch. */
  readonly since: number;
  readonly reason: string | null;
}

/**
 * An idle of the file that was read sooner after it began, ms, may not be the last word: a Stop, or another turn, may
 * follow in the same moment. claude/ reads it again when it may not change any more.
 */
const mayChange = 1000;

/** A file edge and a transcript line of the same moment may be written in either order, this far apart, ms. */
const sameMoment = 1000;

/**
 * Fuses what the sources say into one state (docs/states.md). Pure, and knows no clock: age is not staleness.
 *
 * An edge (a hook) is newer than the level (the file) for a moment. A level that was read well after the edge and
 * still contradicts it is right: what followed the edge was lost.
 */
export function conditionOf(facts: Facts): Condition {
  const open = facts.prompts.filter(isOpen).sort((a, b) => a.at - b.at)[0];
  if (open !== undefined) {
    return {
      state: 'needs-input',
      since: promptSince(open),
      reason: open.waitingFor ?? reasonOf(open.asked?.kind),
    };
  }
  const { level } = facts;
  if (level === null || level.status === null) return byEdges(facts) ?? restored(facts) ?? unknown(facts);
  switch (level.status) {
    case 'other':
      return { state: 'unknown', since: levelSince(level), reason: 'a status that tsmux does not know' };
    case 'busy':
      return whileBusy(facts, level.at, levelSince(level));
    case 'waiting':
      return whileWaiting(facts, level.at, levelSince(level));
    default:
      return whileIdle(facts, level.at, levelSince(level));
  }
}

function reasonOf(kind: string | undefined): string {
  switch (kind) {
    case 'question':
    case 'elicitation':
      return 'input needed';
    case 'plan':
      return 'plan to approve';
    default:
      return 'permission prompt';
  }
}

/** The file says busy: only a newer word of a hook ends the turn, and only until the file had time to follow. */
function whileBusy(facts: Facts, readAt: number, since: number): Condition {
  const start = newestStart(facts);
  const end = newestEnd(facts, start);
  const ended =
    end !== null &&
    end.source === 'hook' &&
    end.at >= since &&
    readAt <= end.at + followsWithin &&
    !isToBeReported(end) &&
    !hasQueued(facts, end, start)
      ? afterEnd(facts, end, start)
      : null;
  // Work that the file tells of before its hook does is not that of the turn that has ended.
  return ended ?? busy(facts, end !== null && end.at < since ? null : start, since);
}

/** Waiting, but no prompt of it is open: it was settled a moment ago, or is a dialog of the user's own. */
function whileWaiting(facts: Facts, readAt: number, since: number): Condition {
  const start = newestStart(facts);
  const end = newestEnd(facts, start);
  if (end !== null && end.at >= since && readAt <= end.at + followsWithin) return afterEnd(facts, end, start);
  if (facts.level?.waitingFor === 'dialog open') return idle(facts, end, since);
  return busy(facts, start, since);
}

function whileIdle(facts: Facts, readAt: number, since: number): Condition {
  const start = newestStart(facts);
  const end = newestEnd(facts, start);
  const startedSince = start !== null && start.at > since && readAt <= start.at + followsWithin;
  if (startedSince && end === null) return busy(facts, start, start.at);
  // Agents that a hook counted later than the file was written still run.
  if (end !== null && end.at > since && agentsRunning(facts) && readAt <= end.at + followsWithin)
    return busy(facts, start, end.at);
  // A session that began, or began anew, ends nothing that was begun after that, however soon.
  const tolerance = end?.how === 'renewed' ? 0 : sameMoment;
  const told =
    end !== null && (facts.levelBusyAt === null || end.at >= facts.levelBusyAt - tolerance) ? end : null;
  const isFresh = readAt < since + mayChange;
  if (told !== null) {
    const goesOn = isToBeReported(told) || hasQueued(facts, told, start);
    return isFresh && goesOn ? busy(facts, start, since) : settledEnd(facts, told);
  }
  if (facts.levelBusyAt === null || facts.levelBusyAt > since) return idle(facts, end, since);
  if (!hooksTell(facts, start)) {
    return ranCommand(facts, start) ? idle(facts, end, since) : review(facts, since, null);
  }
  // With hooks a finished turn has a Stop, which runs a moment after the file was written; without one, the turn was
  // interrupted. That is certain at once after a prompt: a No goes from waiting to idle.
  const fromBusy = facts.levelBusyAt > (facts.levelWaitingAt ?? 0);
  return isFresh && fromBusy ? busy(facts, start, since) : idle(facts, end, since);
}

/**
 * The turn left sub-agents behind, and another one will report them. When the last of them has ended (its hook tells so),
 * the file still says busy for 0.1–0.2 s, and then idle for as long, until that turn begins (Claude Code 2.1.332).
 */
function isToBeReported({ agents }: TurnEnd): boolean {
  return agents > 0;
}

/** Between a turn and one that was queued behind it the file says idle for a moment too. */
function hasQueued({ queuedAt }: Facts, end: TurnEnd, start: TurnStart | null): boolean {
  return end.how === 'finished' && queuedAt !== null && queuedAt <= end.at && queuedAt > (start?.at ?? 0);
}

/** What it was busy with was no turn (/rename, /compact). */
function ranCommand({ commandAt, levelBusyAt }: Facts, start: TurnStart | null): boolean {
  return commandAt !== null && commandAt >= (levelBusyAt ?? 0) - sameMoment && commandAt > (start?.at ?? 0);
}

/** Without a session file: older versions of Claude Code. */
function byEdges(facts: Facts): Condition | null {
  const start = newestStart(facts);
  const end = newestEnd(facts, start);
  const { restored } = facts;
  const newestEdge = latest(start?.at ?? null, end?.at ?? null);
  if (newestEdge === null || (restored !== null && newestEdge <= restored.at)) return null;
  return end === null ? busy(facts, start, start?.at ?? newestEdge) : afterEnd(facts, end, start);
}

/** What stood before a restart of the daemon stands until a source says otherwise; only busy may have passed. */
function restored(facts: Facts): Condition | null {
  const { restored } = facts;
  if (restored === null) return null;
  return restored.state === 'busy'
    ? { state: 'unknown', since: restored.at, reason: null }
    : { state: restored.state, since: restored.since, reason: restored.reason };
}

function unknown(facts: Facts): Condition {
  const since = latest(facts.process?.startedAt ?? null, facts.knownSince) ?? 0;
  return { state: 'unknown', since, reason: null };
}

function newestStart(facts: Facts): TurnStart | null {
  return facts.starts[0] ?? null;
}

/**
 * The newest end that ends the newest turn, and after which nothing went on. Hooks may come in any order: a Stop
 * of an older prompt's turn ends no newer one.
 */
function newestEnd(facts: Facts, start: TurnStart | null): TurnEnd | null {
  const wentOnAt = facts.toolStarts.find((tool) => tool.agent === null)?.at ?? 0;
  const applies = (end: TurnEnd) => {
    if (end.at < wentOnAt) return false;
    if (start === null) return true;
    // What is begun in the same moment as the session is begun after it.
    if (end.how === 'renewed') return end.at > start.at;
    if (end.promptId === null || start.promptId === null) return end.at >= start.at;
    if (end.promptId === start.promptId) return true;
    return end.at >= start.at && !facts.starts.some((known) => known.promptId === end.promptId);
  };
  const ends = facts.ends.filter(applies);
  return ends.filter((end) => !isFollowed(end, ends)).sort(byWeight)[0] ?? null;
}

/** No Stop tells of an interrupt: one that follows it, however soon, is that of the prompt which was queued. */
function isFollowed({ how, at }: TurnEnd, ends: readonly TurnEnd[]): boolean {
  return (
    how === 'interrupted' &&
    ends.some((end) => end.source === 'hook' && end.how === 'finished' && end.at > at)
  );
}

/** Of ends of the same moment the one that says most: an interrupt or a failure over a plain end. */
function byWeight(a: TurnEnd, b: TurnEnd): number {
  if (Math.abs(a.at - b.at) > sameMoment) return b.at - a.at;
  return weight(b) - weight(a) || b.at - a.at;
}

function weight(end: TurnEnd): number {
  return { renewed: 3, interrupted: 2, failed: 1, finished: 0 }[end.how];
}

function agentsRunning(facts: Facts): boolean {
  return backgroundOf(facts).agents > 0;
}

/** Counted from the newest list that a hook gave, or an idle file, which says that nothing runs. */
export function backgroundOf(facts: Facts): { readonly agents: number; readonly shells: number } {
  const { background, level } = facts;
  const counted = { agents: background?.agents ?? 0, shells: background?.shells ?? 0 };
  if (level === null) return counted;
  if (background !== null && levelSince(level) <= background.at) return counted;
  if (level.status === 'shell') return { agents: 0, shells: Math.max(1, counted.shells) };
  return counted;
}

function afterEnd(facts: Facts, end: TurnEnd, start: TurnStart | null): Condition {
  if (agentsRunning(facts)) return busy(facts, start, end.at);
  return settledEnd(facts, end);
}

function settledEnd(facts: Facts, end: TurnEnd): Condition {
  return end.how === 'interrupted' || end.how === 'renewed'
    ? idle(facts, end, end.at)
    : review(facts, end.at, end.reason);
}

function review(facts: Facts, at: number, reason: string | null): Condition {
  const seenAt = latest(facts.seenAt, facts.knownSince);
  return seenAt !== null && seenAt >= at
    ? { state: 'idle', since: seenAt, reason: null }
    : { state: 'review', since: at, reason };
}

function idle(facts: Facts, end: TurnEnd | null, since: number): Condition {
  return {
    state: 'idle',
    since: latest(end?.at ?? null, since, facts.process?.startedAt ?? null) ?? since,
    reason: null,
  };
}

function busy(facts: Facts, start: TurnStart | null, since: number): Condition {
  const reason = isCompacting(facts) ? 'compacting' : null;
  return { state: 'busy', since: start !== null && start.at <= since ? start.at : since, reason };
}

/**
 * One that fails has no PostCompact. Of /compact the transcript tells when it is over, as of every command; where it has
 * nothing to do the file is idle all the time (2.1.197). What has ended does not begin again when the file says busy.
 */
export function isCompacting({ compactingAt, compactedAt, commandAt, levelIdleAt }: Facts): boolean {
  const overAt = latest(compactedAt, commandAt, levelIdleAt);
  return compactingAt !== null && (overAt === null || overAt < compactingAt);
}

function hooksTell(facts: Facts, start: TurnStart | null): boolean {
  if (facts.hooksAt === null) return false;
  // The hook of a prompt that was queued ran when it was typed, long before its turn.
  const heardSince = start !== null && (start.hooked || facts.hooksAt >= start.at);
  return heardSince || facts.hooksAt >= (facts.levelBusyAt ?? 0) - sameMoment;
}
