import { type KeyTarget, readForPrompt } from '../answers/keys.ts';
import { type Dialog, readDialog } from '../claude/dialog.ts';
import { dialogFor } from '../claude/dialog-belongs.ts';
import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { Observe } from '../sessions/observation.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { type Clock, pause } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { LONGEST_RULE } from './holding.ts';

/** Reads the dialogs of open prompts from the panes that can be read. */
export interface Reading {
  /** Its options are not known yet, and its screen will tell. */
  isAwaited(prompt: PromptId): boolean;
  /** Its options are those on its screen. */
  isRead(prompt: PromptId): boolean;
  /** "Always" was on its screen under this key, and not offered, as what it allows was not shown whole. */
  wasCut(prompt: PromptId, key: string): boolean;
  target(session: Session, prompt: Prompt): KeyTarget<Dialog>;
  /** What was read does not stand there any more. */
  readAgain(session: Session, prompt: PromptId): void;
  /** The session has changed: is there something to read? */
  follow(session: Session): void;
  forget(prompt: PromptId): void;
}

/** Without a hook's word nothing tells an old dialog from a new one but time: it is gone by then, ms. */
const OLD_DIALOG_GOES = 750;

/** How long a sub-agent's dialog is waited for, and how often is looked whether the file tells of it, ms. */
const DRAWN_WITHIN = 10_000;
const LOOK_EVERY = 200;

interface Known {
  state: 'reading' | 'read' | 'unread';
  /** What the dialog was like when it was first read. */
  first: string | null;
  cut: readonly string[];
}

export function createReading(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  readonly observe: Observe;
  readonly factTime: () => number;
  readonly desktop: Desktop;
  readonly whereabouts: (session: Session) => Whereabouts | null;
  readonly isHeld: (prompt: PromptId) => boolean;
  /** Reading is over, whatever came of it. */
  readonly done: (prompt: PromptId) => void;
}): Reading {
  const { clock, registry, desktop } = parts;
  const prompts = new Map<PromptId, Known>();

  function target(session: Session, prompt: Prompt): KeyTarget<Dialog> {
    return {
      async read() {
        const where = parts.whereabouts(session);
        const screen = where === null ? null : await desktop.readScreen(where);
        return screen === null ? null : readDialog(screen);
      },
      belongs(dialog) {
        const asked = registry.asked(prompt.id);
        if (asked !== null) return dialogFor(asked, prompt.agent, dialog);
        const first = prompts.get(prompt.id)?.first ?? null;
        return first === null ? isOfTool(dialog) : first === likeness(dialog);
      },
    };
  }

  async function read(session: Session, prompt: Prompt, known: Known): Promise<void> {
    const untold = registry.asked(prompt.id) === null;
    if (untold) await pause(clock, Math.max(0, prompt.since + OLD_DIALOG_GOES - clock.now()));
    let found = await readForPrompt(target(session, prompt), clock);
    if (found.type !== 'read' && prompt.agent !== null && (await isDrawnLater(prompt.id, known))) {
      found = await readForPrompt(target(session, prompt), clock);
    }
    // It may have been settled meanwhile, or be told by a hook now.
    if (prompts.get(prompt.id) !== known) return;
    const dialog = found.type === 'read' ? found.dialog : null;
    const told = dialog === null ? null : optionsOn(dialog, prompt, parts.isHeld(prompt.id));
    known.state = told === null ? 'unread' : 'read';
    known.first = dialog === null ? null : likeness(dialog);
    known.cut = told?.cut ?? [];
    const key = registry.keyOf(session.id);
    const options = told?.options ?? null;
    if (key !== undefined) {
      parts.observe(key, { type: 'dialog-read', at: parts.factTime(), prompt: prompt.id, options });
    }
    parts.done(prompt.id);
  }

  /** The dialog of a sub-agent comes when its hook has ended, on a busy machine long after: the session file tells. */
  async function isDrawnLater(id: PromptId, known: Known): Promise<boolean> {
    for (let waited = 0; waited < DRAWN_WITHIN && prompts.get(id) === known; waited += LOOK_EVERY) {
      if (registry.isDrawn(id)) return true;
      await pause(clock, LOOK_EVERY);
    }
    return false;
  }

  function start(session: Session, prompt: Prompt): void {
    const known: Known = { state: 'reading', first: null, cut: [] };
    prompts.set(prompt.id, known);
    read(session, prompt, known).catch((error: unknown) => {
      parts.log.error({ prompt: prompt.id, error: String(error) }, 'a dialog could not be read');
      known.state = 'unread';
      parts.done(prompt.id);
    });
  }

  /** A sub-agent's dialog is not drawn while its hook is held; questions are told whole by theirs. */
  function isReadable(session: Session, prompt: Prompt): boolean {
    if (!hasReadablePane(session) || prompt.kind === 'elicitation' || prompt.kind === 'dialog') return false;
    return !parts.isHeld(prompt.id) || (prompt.agent === null && prompt.kind !== 'question');
  }

  return {
    isAwaited: (prompt) => prompts.get(prompt)?.state === 'reading',
    isRead: (prompt) => prompts.get(prompt)?.state === 'read',
    wasCut: (prompt, key) => prompts.get(prompt)?.cut.includes(key) ?? false,
    target,
    readAgain(session, id) {
      const prompt = session.prompts.find((one) => one.id === id);
      if (prompt !== undefined) start(session, prompt);
    },
    follow(session) {
      const [only, ...others] = session.prompts;
      if (only === undefined) return;
      if (others.length > 0) {
        // Which of them is on the screen is known when the others are settled.
        for (const { id } of session.prompts) if (prompts.get(id)?.state === 'unread') prompts.delete(id);
        return;
      }
      if (!isReadable(session, only)) {
        // It is drawn when the hold has ended, or told whole by its hook: what was begun before that hook came is void.
        if (parts.isHeld(only.id)) prompts.delete(only.id);
      } else if (!prompts.has(only.id)) start(session, only);
    },
    forget: (prompt) => void prompts.delete(prompt),
  };
}

function hasReadablePane({ place }: Session): boolean {
  const kind = place.pane?.kind;
  return kind === 'tmux' || kind === 'kitty' || kind === 'script';
}

function isOfTool({ kind }: Dialog): boolean {
  return kind === 'permission' || kind === 'plan' || kind === 'question';
}

/** The same for the same dialog in a pane of another width. */
function likeness({ kind, title, body, question, options }: Dialog): string {
  const words = [title ?? '', ...body, question ?? ''].join('').replace(/\s+/g, '');
  return JSON.stringify([kind, words, options.map(({ key, label }) => [key, label])]);
}

interface OnScreen {
  readonly options: readonly Option[];
  /** Keys of what allows for good, and was not shown whole. */
  readonly cut: readonly string[];
}

/**
 * What of the dialog can be chosen from outside; null: nothing. An option that leads to a text field can only be
 * answered through the hold. Several questions, and ticks, are more keys than can be tested and sent as one.
 */
function optionsOn(dialog: Dialog, prompt: Prompt, held: boolean): OnScreen | null {
  if (dialog.kind === 'question' && (dialog.multiSelect || dialog.tabs.length > 1)) return null;
  const options: Option[] = [];
  const cut: string[] = [];
  for (const { key, label, means, takesText } of dialog.options) {
    if (key === null) return null;
    if (takesText && !(held && means === 'deny')) continue;
    if (dialog.kind === 'question' && /^Chat\b/.test(label)) continue;
    const isCut = prompt.truncated || label.includes('…') || label.length > LONGEST_RULE;
    if (means === 'allow-always' && isCut) cut.push(key);
    else options.push({ key, label, means });
  }
  return options.length === 0 ? null : { options, cut };
}
