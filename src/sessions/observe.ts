import { type Facts, latest, newer, type TurnEnd, type TurnStart, withEdge } from './facts.ts';
import type { Observation, SessionFileRead, TranscriptRead } from './observation.ts';
import {
  levelSince,
  promptAsked,
  promptChanged,
  promptNudged,
  promptsUnderLevel,
  settlePrompts,
} from './prompts.ts';
import { longestText, shortened } from './shortened.ts';

/**
 * Folds one observation into what is known. Pure; gives back the very same object when nothing is new. Observations
 * may come in any order: what counts is the time each bears.
 */
export function observe(facts: Facts, observation: Observation): Facts {
  const noted = note(facts, observation);
  if (noted === facts) return facts;
  const prompts = settlePrompts({ ...noted, prompts: promptsUnderLevel(noted) });
  return { ...noted, prompts, restored: outdated(noted, observation) ? null : noted.restored };
}

function note(facts: Facts, seen: Observation): Facts {
  switch (seen.type) {
    case 'process-seen':
      return {
        ...facts,
        process: newer(facts.process, seen),
        knownSince: facts.knownSince === null ? seen.at : Math.min(facts.knownSince, seen.at),
      };
    case 'process-gone':
      return { ...facts, goneAt: facts.goneAt ?? seen.at };
    case 'session-file':
      return withLevel(facts, seen);
    case 'turn-started': {
      const hooked = seen.source === 'hook';
      const start = { at: seen.at, promptId: seen.promptId, by: seen.by, hooked };
      return withHook({ ...facts, starts: withStart(facts.starts, start) }, hooked, seen.at);
    }
    case 'turn-ended': {
      const { at, promptId, source, how, reason, lastMessage, background } = seen;
      const agents = background?.agents ?? 0;
      const ended = withEnd(facts, { at, promptId, source, how, reason, agents });
      return withHook(
        {
          ...ended,
          lastMessage:
            lastMessage === null
              ? facts.lastMessage
              : newer(facts.lastMessage, { at, text: shortened(lastMessage, longestText) }),
          background: background === null ? facts.background : newer(facts.background, { at, ...background }),
        },
        source === 'hook',
        at,
      );
    }
    case 'turn-queued':
      return { ...facts, queuedAt: latest(facts.queuedAt, seen.at) };
    case 'command-run':
      return { ...facts, commandAt: latest(facts.commandAt, seen.at) };
    case 'tool-started': {
      const { at, toolUseId, agent, tool, inputKey } = seen;
      const toolStarts = withEdge(facts.toolStarts, { at, toolUseId, agent, tool, inputKey });
      return withHook({ ...facts, toolStarts }, seen.source === 'hook', at);
    }
    case 'tool-ended': {
      const { at, toolUseId, agent, tool, inputKey } = seen;
      const toolEnds = withEdge(facts.toolEnds, { at, toolUseId, agent, tool, inputKey });
      return withHook({ ...facts, toolEnds }, seen.source === 'hook', at);
    }
    case 'background': {
      const { at, agents, shells } = seen;
      return withHook({ ...facts, background: newer(facts.background, { at, agents, shells }) }, true, at);
    }
    case 'prompt-asked':
      return withHook({ ...facts, prompts: promptAsked(facts, seen) }, true, seen.at);
    case 'prompt-held':
    case 'dialog-read': {
      const told = { at: seen.at, options: seen.options };
      const prompts = promptChanged(facts, seen.prompt, (prompt) =>
        seen.type === 'prompt-held'
          ? { ...prompt, held: newer(prompt.held, told) }
          : { ...prompt, dialog: newer(prompt.dialog, told) },
      );
      return { ...facts, prompts };
    }
    case 'prompt-answered': {
      const prompts = promptChanged(facts, seen.prompt, (prompt) => ({ ...prompt, retiredAt: seen.at }));
      return { ...facts, prompts };
    }
    case 'nudged':
      return withHook(
        {
          ...facts,
          needsInputAt:
            seen.notification === 'agent_needs_input'
              ? latest(facts.needsInputAt, seen.at)
              : facts.needsInputAt,
          prompts: promptNudged(facts, seen),
        },
        true,
        seen.at,
      );
    case 'agent-stopped': {
      const agentStops = withEdge(facts.agentStops, { at: seen.at, agent: seen.agent });
      return withHook({ ...facts, agentStops }, true, seen.at);
    }
    case 'compaction':
      return withHook(
        seen.running
          ? { ...facts, compactingAt: latest(facts.compactingAt, seen.at) }
          : { ...facts, compactedAt: latest(facts.compactedAt, seen.at) },
        true,
        seen.at,
      );
    case 'session-renewed': {
      const session = newer(facts.session, { at: seen.at, sessionId: seen.sessionId });
      const renewed: TurnEnd = {
        at: seen.at,
        promptId: null,
        source: 'hook',
        how: 'renewed',
        reason: null,
        agents: 0,
      };
      // A compaction goes on with the same turn.
      return seen.how === 'compact' ? { ...facts, session } : { ...withEnd(facts, renewed), session };
    }
    case 'mode-seen':
      return { ...facts, mode: newer(facts.mode, { at: seen.at, permissionMode: seen.permissionMode }) };
    case 'transcript':
      return { ...facts, transcript: mergeTranscripts(facts.transcript, withoutBulk(seen)) };
    case 'placed':
      return { ...facts, placed: newer(facts.placed, seen) };
    case 'seen':
      return { ...facts, seenAt: latest(facts.seenAt, seen.at) };
    case 'ports':
      return { ...facts, ports: newer(facts.ports, seen) };
    case 'labelled':
      return { ...facts, label: newer(facts.label, seen) };
  }
}

function withHook(facts: Facts, hooked: boolean, at: number): Facts {
  return hooked ? { ...facts, hooksAt: latest(facts.hooksAt, at) } : facts;
}

function withLevel(facts: Facts, read: SessionFileRead): Facts {
  const since = levelSince(read);
  const busy = read.status === 'busy';
  const waiting = read.status === 'waiting';
  const idle = read.status === 'idle' || read.status === 'shell';
  const { at, sessionId, name } = read;
  const nothing = { at: since, agents: 0, shells: 0 };
  return {
    ...facts,
    level: newer(facts.level, read),
    levelBusyAt: busy ? latest(facts.levelBusyAt, since) : facts.levelBusyAt,
    levelWaitingAt: waiting ? latest(facts.levelWaitingAt, since) : facts.levelWaitingAt,
    levelIdleAt: idle ? latest(facts.levelIdleAt, since) : facts.levelIdleAt,
    background: read.status === 'idle' ? newer(facts.background, nothing) : facts.background,
    session: sessionId === null ? facts.session : newer(facts.session, { at, sessionId }),
    userName: newer(facts.userName, { at, name }),
  };
}

/** One prompt's turn begins once, however often and by whatever it is told. */
function withStart(starts: readonly TurnStart[], start: TurnStart): readonly TurnStart[] {
  const known =
    start.promptId === null ? undefined : starts.find((other) => other.promptId === start.promptId);
  if (known === undefined) return withEdge(starts, start);
  const merged = {
    ...start,
    at: Math.min(known.at, start.at),
    by: known.by === 'user' ? known.by : start.by,
    hooked: known.hooked || start.hooked,
  };
  return withEdge(
    starts.filter((other) => other !== known),
    merged,
  );
}

function withEnd(facts: Facts, end: TurnEnd): Facts {
  return { ...facts, ends: withEdge(facts.ends, end) };
}

function withoutBulk(read: TranscriptRead): TranscriptRead {
  const { lastMessage } = read;
  return lastMessage === null ? read : { ...read, lastMessage: shortened(lastMessage, longestText) };
}

/** Each field stands until a newer line says something else about it; another transcript starts afresh. */
function mergeTranscripts(known: TranscriptRead | null, read: TranscriptRead): TranscriptRead {
  if (known === null) return read;
  const [old, fresh] = read.at >= known.at ? [known, read] : [read, known];
  if (old.sessionId !== fresh.sessionId) return fresh;
  return {
    ...fresh,
    model: fresh.model ?? old.model,
    branch: fresh.branch ?? old.branch,
    customTitle: fresh.customTitle ?? old.customTitle,
    permissionMode: fresh.permissionMode ?? old.permissionMode,
    lastMessage: fresh.lastMessage ?? old.lastMessage,
    tokens: fresh.tokens ?? old.tokens,
    contextPercent: fresh.contextPercent ?? old.contextPercent,
  };
}

/** What stood before a restart counts until a source that knows better says how things are now. */
function outdated(facts: Facts, observation: Observation): boolean {
  if (facts.restored === null) return false;
  switch (observation.type) {
    case 'session-file':
      return observation.status !== null;
    case 'turn-started':
    case 'turn-ended':
    case 'tool-started':
    case 'tool-ended':
    case 'prompt-asked':
      return observation.at > facts.restored.at;
    default:
      return false;
  }
}
