import { basename } from 'node:path';
import type { Facts, PromptFacts } from './facts.ts';
import { sessionIdOf } from './ids.ts';
import { nowhere } from './place.ts';
import type { Option, Prompt } from './prompt.ts';
import { isOpen, levelSince, promptSince } from './prompts.ts';
import type { Session, State, Tool } from './session.ts';
import { longestText, shortened } from './shortened.ts';
import { backgroundOf, conditionOf, isCompacting } from './state.ts';

const longestSummary = 200;

const goToTerminal: Option = { key: 'g', label: 'Go to terminal', means: 'go' };

/** What everybody outside the core is shown of a session; null while nothing says that its process is one. */
export function describe(facts: Facts): Session | null {
  const { key, process, transcript } = facts;
  if (process === null || facts.goneAt !== null) return null;
  const condition = conditionOf(facts);
  const prompts = facts.prompts
    .filter(isOpen)
    .sort((a, b) => a.at - b.at)
    .map(describePrompt);
  return {
    id: sessionIdOf(key),
    pid: key.pid,
    sessionId: facts.session?.sessionId ?? transcript?.sessionId ?? null,
    kind: process.kind,
    entrypoint: process.entrypoint,
    permissionMode: facts.mode?.permissionMode ?? transcript?.permissionMode ?? null,
    ...condition,
    background: backgroundOf(facts),
    compacting: isCompacting(facts),
    label: facts.label?.label ?? null,
    name: facts.userName?.name ?? transcript?.customTitle ?? (basename(process.cwd) || '/'),
    cwd: process.cwd,
    branch: transcript?.branch ?? null,
    configDir: process.configDir,
    tool: currentTool(facts, condition.state),
    lastMessage: lastMessage(facts),
    model: transcript?.model ?? null,
    tokens: transcript?.tokens ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextPercent: transcript?.contextPercent ?? null,
    ports: facts.ports?.ports ?? [],
    place: facts.placed?.place ?? nowhere('not looked for yet'),
    prompts,
    startedAt: process.startedAt,
  };
}

/** The newest of what a hook and the transcript tell; after /clear nothing has been said yet. */
function lastMessage({ lastMessage: told, transcript, ends }: Facts): string | null {
  const renewedAt = ends.find((end) => end.how === 'renewed')?.at ?? 0;
  const fromHook = told !== null && told.at >= renewedAt ? told : null;
  const fromTranscript = transcript !== null && transcript.at >= renewedAt ? transcript : null;
  if (fromTranscript?.lastMessage != null && fromTranscript.at >= (fromHook?.at ?? 0)) {
    return fromTranscript.lastMessage;
  }
  return fromHook?.text ?? null;
}

function describePrompt(prompt: PromptFacts): Prompt {
  const { asked } = prompt;
  const text = asked?.text ?? '';
  const onScreen = prompt.dialog?.options ?? null;
  const held = prompt.held?.options ?? null;
  return {
    id: prompt.id,
    kind: asked?.kind ?? kindOfWaiting(prompt.waitingFor),
    title: asked?.title ?? prompt.waitingFor ?? 'prompt',
    text: shortened(text, longestText),
    truncated: text.length > longestText,
    agent: prompt.agent,
    answerable: held !== null ? 'hook' : onScreen !== null ? 'keys' : 'no',
    since: promptSince(prompt),
    pinned: false,
    questions: asked?.questions ?? [],
    asking: null,
    options: [...(onScreen ?? held ?? []).filter(({ means }) => means !== 'go'), goToTerminal],
  };
}

function kindOfWaiting(waitingFor: string | null): Prompt['kind'] {
  if (waitingFor === 'permission prompt') return 'permission';
  return waitingFor === 'input needed' ? 'question' : 'dialog';
}

/** The tool of the main thread that has begun and not ended; while a prompt is open, what it is about. */
function currentTool(facts: Facts, state: State): Tool | null {
  const open = facts.prompts.find((prompt) => isOpen(prompt) && prompt.asked?.tool != null);
  if (open?.asked?.tool != null) {
    return { name: open.asked.tool, summary: shortened(open.asked.text, longestSummary) };
  }
  if (state !== 'busy') return null;
  const newest = facts.toolStarts.find((start) => start.agent === null);
  if (newest === undefined || newest.at < (facts.starts[0]?.at ?? 0)) return null;
  const ended = facts.toolEnds.some(
    (end) =>
      end.agent === null &&
      (end.toolUseId === null ? end.at > newest.at : end.toolUseId === newest.toolUseId),
  );
  const overAt = facts.ends.find((end) => end.at >= newest.at);
  const idleSince = facts.level !== null && facts.level.status === 'idle' ? levelSince(facts.level) : 0;
  return ended || overAt !== undefined || idleSince > newest.at ? null : newest.tool;
}
