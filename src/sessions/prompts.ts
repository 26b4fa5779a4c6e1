import type { Facts, PromptFacts, ToolStart } from './facts.ts';
import { promptIdOf, sessionIdOf } from './ids.ts';
import type { Nudged, PromptAsked, SessionFileRead } from './observation.ts';
import type { PromptId } from './prompt.ts';
import { longestText, shortened } from './shortened.ts';

/**
 * How prompts are made and retired (docs/prompts.md). One prompt is one prompt, even if a hook, the session
 * file and a notification all tell of it; it keeps the id under which it was first heard of.
 */

/**
 * A PermissionRequest hook and the file's "waiting" tell of the same dialog when they are no further apart than
 * this, ms. With Claude Code 2.1.332 they are 0.1–0.3 s apart; a dialog of the main thread is drawn at once.
 */
const togetherWithin = 3000;

/** Claude Code writes its file within about 0.2 s of a change; this much later it has, ms. */
export const followsWithin = 2000;

/** Prompts that were settled are remembered, so that a late answer is told so. */
const settledKept = 16;

export const isOpen = (prompt: PromptFacts): boolean => prompt.retiredAt === null;

/** When the prompt came: its dialog may have been on screen a moment before its hook ran. */
export const promptSince = (prompt: PromptFacts): number => Math.min(prompt.at, prompt.levelAt ?? prompt.at);

/** When the file's status began; for a file without that time, when it was read. */
export const levelSince = (level: SessionFileRead): number => level.statusAt ?? level.at;

export function promptAsked(facts: Facts, asked: PromptAsked): readonly PromptFacts[] {
  const { agent, at, prompt } = asked;
  const same = (known: PromptFacts) =>
    known.agent === agent && known.askedAt === at && known.asked?.inputKey === prompt.inputKey;
  if (facts.prompts.some(same)) return facts.prompts;
  const untold = facts.prompts.find(
    (known) => isOpen(known) && known.asked === null && Math.abs(known.at - at) <= togetherWithin,
  );
  const told: PromptFacts =
    untold === undefined
      ? {
          id: promptIdOf(sessionIdOf(facts.key), at, agent, prompt.inputKey),
          at,
          agent,
          asked: prompt,
          askedAt: at,
          waitingFor: null,
          levelAt: null,
          held: null,
          dialog: null,
          retiredAt: null,
        }
      : { ...untold, agent, asked: prompt, askedAt: at };
  return [...facts.prompts.filter((known) => known !== untold), told];
}

/** How a prompt can be answered has changed, or it has been answered. */
export function promptChanged(
  facts: Facts,
  id: PromptId,
  change: (prompt: PromptFacts) => PromptFacts,
): readonly PromptFacts[] {
  return facts.prompts.map((prompt) => (prompt.id === id && isOpen(prompt) ? change(prompt) : prompt));
}

/** A notification that Claude needs somebody. Where the file has a status, the file says it better. */
export function promptNudged(facts: Facts, nudge: Nudged): readonly PromptFacts[] {
  const fileTells = facts.level !== null && facts.level.status !== null;
  const known = facts.prompts.some((prompt) => isOpen(prompt) || (prompt.retiredAt ?? 0) >= nudge.at);
  if (nudge.notification !== 'permission_prompt' || fileTells || known) return facts.prompts;
  if (facts.mode?.permissionMode === 'bypassPermissions') return facts.prompts;
  return [...facts.prompts, untoldPrompt(facts, nudge.at, 'permission prompt', null)];
}

function untoldPrompt(
  facts: Facts,
  at: number,
  waitingFor: string | null,
  levelAt: number | null,
): PromptFacts {
  const id = promptIdOf(sessionIdOf(facts.key), at, null, null);
  const untold = { agent: null, asked: null, askedAt: null, held: null, dialog: null, retiredAt: null };
  return { ...untold, id, at, waitingFor, levelAt };
}

/**
 * Ties the file's "waiting" to the prompt whose dialog it is, or makes a prompt for it. A newer waiting than the
 * one a prompt was tied to means that this prompt was settled in between, however briefly.
 */
export function promptsUnderLevel(facts: Facts): readonly PromptFacts[] {
  const { level } = facts;
  if (level === null || level.status !== 'waiting') return facts.prompts;
  const since = levelSince(level);

  const [first, ...queued] = facts.prompts
    .filter((prompt) => isOpen(prompt) && prompt.levelAt !== null && prompt.levelAt < since)
    .sort((a, b) => a.at - b.at);
  let prompts = facts.prompts.map((prompt) => {
    if (prompt === first) return { ...prompt, retiredAt: since };
    return queued.includes(prompt) ? { ...prompt, levelAt: since } : prompt;
  });
  prompts = prompts.map((prompt) => {
    const mayChange = prompt.levelAt === null || (prompt.levelAt === since && isHeldAgents(prompt));
    if (!isOpen(prompt) || !mayChange) return prompt;
    const levelAt = isUnder(prompt, since, facts) ? since : null;
    return levelAt === prompt.levelAt ? prompt : { ...prompt, levelAt };
  });
  const under = prompts.filter((prompt) => prompt.levelAt === since);
  if (under.some(isOpen) || !needsSomebody(facts, level)) return prompts;
  // The main thread has one dialog at a time: it waits for what it asked last, even where the file says nothing new.
  if (prompts.some((prompt) => isOpen(prompt) && prompt.agent === null && prompt.at >= since)) return prompts;
  if (under.length === 0) return [...prompts, untoldPrompt(facts, since, level.waitingFor, since)];
  // The file is often read once more before Claude has written what came of an answer. When it still waits long
  // after that, what looked like an answer was none.
  const answeredAt = Math.max(...under.map((prompt) => prompt.retiredAt ?? 0));
  return level.at <= answeredAt + followsWithin
    ? prompts
    : [...prompts, untoldPrompt(facts, level.at, level.waitingFor, since)];
}

/** Of a sub-agent whose hook is held: of one in the background the dialog is not drawn meanwhile. */
const isHeldAgents = ({ agent, held }: PromptFacts): boolean =>
  agent !== null && (held?.options ?? null) !== null;

/**
 * A dialog comes at once where it is drawn beside its hook, and the file may still tell of the dialog before it, which
 * was answered a moment ago. Of a sub-agent's it may tell long after: when the hold has ended. While that lasts the file
 * rather tells of the main thread's.
 */
function isUnder(prompt: PromptFacts, levelAt: number, { prompts }: Facts): boolean {
  if (prompt.agent !== null && !isHeldAgents(prompt)) return prompt.at <= levelAt + togetherWithin;
  const others = prompt.agent === null ? prompts.filter(({ agent }) => agent === null) : prompts;
  return Math.abs(prompt.at - levelAt) <= togetherWithin && nearest(levelAt, others)?.id === prompt.id;
}

/**
 * The user's own /model and /add-dir open dialogs too: "dialog open" is a prompt only when Claude was at work
 * before, or said that it needs somebody.
 */
function needsSomebody(facts: Facts, level: SessionFileRead): boolean {
  if (level.waitingFor !== 'dialog open') return true;
  const since = levelSince(level);
  const wasBusy = facts.levelBusyAt !== null && facts.levelBusyAt >= (facts.levelIdleAt ?? 0);
  return wasBusy || (facts.needsInputAt !== null && facts.needsInputAt >= since);
}

/** Retires what anything shows to be settled, and forgets what was settled long ago. */
export function settlePrompts(facts: Facts): readonly PromptFacts[] {
  const settled = facts.prompts.map((prompt) => {
    const retiredAt = prompt.retiredAt ?? settledAt(prompt, facts);
    if (retiredAt === null) return prompt;
    return withoutBulk(retiredAt === prompt.retiredAt ? prompt : { ...prompt, retiredAt });
  });
  const forgotten = settled
    .filter((prompt) => !isOpen(prompt))
    .sort((a, b) => b.at - a.at)
    .slice(settledKept);
  return settled.filter((prompt) => !forgotten.includes(prompt));
}

/** More than is shown, so that it still counts as cut. */
const longestKept = longestText + 100;

/** Its text as it is shown: what nobody is to decide on any more, or is kept on disk, need not be megabytes. */
export function withoutBulk(prompt: PromptFacts): PromptFacts {
  const { asked } = prompt;
  if (asked === null || asked.text.length <= longestKept) return prompt;
  return { ...prompt, asked: { ...asked, text: shortened(asked.text, longestKept) } };
}

function settledAt(prompt: PromptFacts, facts: Facts): number | null {
  if (facts.goneAt !== null) return facts.goneAt;
  const evidence = [byLevel(prompt, facts), byTool(prompt, facts), byThread(prompt, facts)];
  return evidence.find((at) => at !== null) ?? null;
}

/** The session file went on from the waiting under which the prompt's dialog stood. */
function byLevel(prompt: PromptFacts, { level }: Facts): number | null {
  if (level === null || level.status === null || level.status === 'waiting' || level.status === 'other')
    return null;
  const since = levelSince(level);
  if (prompt.levelAt !== null) return since > prompt.levelAt ? since : null;
  // A sub-agent's dialog is hidden while its hook is pending, and the status stays busy all the time.
  if (prompt.agent !== null) return null;
  if (prompt.asked === null) return level.at;
  if (level.status !== 'busy') return since > prompt.at ? since : null;
  // 2.1.197 says busy all the time that the form of an MCP server is on screen.
  if (prompt.asked.kind === 'elicitation') return null;
  return level.at > prompt.at + togetherWithin ? level.at : null;
}

/** The tool that the prompt was about has ended, or everything of its thread has. */
function byTool(prompt: PromptFacts, facts: Facts): number | null {
  const end = facts.toolEnds.find((ended) => {
    if (ended.at <= prompt.at || ended.agent !== prompt.agent) return false;
    if (ended.toolUseId === null && ended.inputKey === null) return true;
    const start = facts.toolStarts.find((started) => started.toolUseId === ended.toolUseId);
    const inputKey = ended.inputKey ?? start?.inputKey ?? null;
    if (inputKey === null || inputKey !== prompt.asked?.inputKey) return false;
    return start === undefined || (ended.toolUseId !== null && isAbout(prompt, start, facts));
  });
  return end?.at ?? null;
}

/**
 * Whether the prompt is of that call, and not of another with the same input: the end of the first of two equal
 * commands may be told when the second is asked for already. A prompt bears no id of its call, but comes right
 * after it.
 */
function isAbout(prompt: PromptFacts, start: ToolStart, facts: Facts): boolean {
  const { agent, inputKey, toolUseId } = start;
  const alike = facts.prompts.filter((other) => other.agent === agent && other.asked?.inputKey === inputKey);
  const calls = facts.toolStarts.filter((other) => other.agent === agent && other.inputKey === inputKey);
  return nearest(start.at, alike) === prompt && nearest(prompt.at, calls)?.toolUseId === toolUseId;
}

function nearest<T extends { readonly at: number }>(at: number, all: readonly T[]): T | undefined {
  return all.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
}

/** The thread went past the prompt: its next prompt, the end of its turn, a new prompt of the user's. */
function byThread(prompt: PromptFacts, facts: Facts): number | null {
  const later = <T extends { readonly at: number }>(edges: readonly T[], counts: (edge: T) => boolean) =>
    edges.find((edge) => edge.at > prompt.at && counts(edge))?.at ?? null;
  const next = later(facts.prompts, (other) => other.asked !== null && other.agent === prompt.agent);
  if (next !== null) return next;
  if (prompt.agent !== null) return later(facts.agentStops, (stop) => stop.agent === prompt.agent);
  return (
    later(facts.ends, (end) => end.promptId === null || !endsOlderTurn(end.promptId, facts)) ??
    later(facts.starts, (start) => start.by === 'user')
  );
}

function endsOlderTurn(promptId: string, facts: Facts): boolean {
  const newest = facts.starts[0];
  return (
    newest !== undefined &&
    newest.promptId !== promptId &&
    facts.starts.some((start) => start.promptId === promptId)
  );
}
