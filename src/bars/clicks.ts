import type { ClickMap } from '../config/schema.ts';
import type { PromptId } from '../sessions/prompt.ts';
import type { SessionId } from '../sessions/session.ts';

/** What a click asks for. Whether there is still such a session or prompt is for the one to find out who does it. */
export type Action =
  | { readonly do: 'go' | 'seen'; readonly session: SessionId }
  | { readonly do: 'menu'; readonly session: SessionId | null }
  | {
      readonly do: 'answer';
      readonly session: SessionId;
      readonly prompt: PromptId;
      readonly key: string;
      /** Which of the prompt's questions, from 0; null where it has none that are asked one after the other. */
      readonly question: number | null;
    }
  /** The quiet time is over. */
  | { readonly do: 'end-quiet' }
  | { readonly do: 'none' };

/** The block that a click hit, by its instance. */
export type Target =
  | { readonly role: 'session'; readonly session: SessionId }
  | {
      readonly role: 'option';
      readonly session: SessionId;
      readonly prompt: PromptId;
      readonly key: string;
      readonly question: number | null;
    }
  | { readonly role: 'summary' | 'quiet' | 'notice' | 'away' };

/** X11's button numbers, which i3bar and swaybar send. */
const buttonNames: ReadonlyMap<number, keyof ClickMap['session']> = new Map([
  [1, 'left'],
  [2, 'middle'],
  [3, 'right'],
  [4, 'wheel-up'],
  [5, 'wheel-down'],
  [8, 'back'],
  [9, 'forward'],
]);

const SESSION = /^[a-z][a-z0-9]{3,}$/;
const OPTION = /^([a-z][a-z0-9]{3,})\/(p[a-z0-9]{3,})\/([a-z0-9])(?:\/([1-9]\d?))?$/;

/** null for an instance that tsmux never gave to a block. */
export function targetOf(instance: string): Target | null {
  switch (instance) {
    case 'summary':
    case 'quiet':
    case 'notice':
    case 'away':
      return { role: instance };
  }
  if (SESSION.test(instance)) return { role: 'session', session: instance as SessionId };
  const [, session, prompt, key, question] = OPTION.exec(instance) ?? [];
  if (session === undefined || prompt === undefined || key === undefined) return null;
  return {
    role: 'option',
    session: session as SessionId,
    prompt: prompt as PromptId,
    key,
    question: question === undefined ? null : Number(question) - 1,
  };
}

/** What the user's click map says of a click. `button` as X11 counts. */
export function actionOf(
  click: { readonly instance: string; readonly button: number },
  map: ClickMap,
): Action {
  const target = targetOf(click.instance);
  const button = buttonNames.get(click.button);
  if (target === null || button === undefined) return { do: 'none' };
  switch (target.role) {
    case 'session': {
      const action = map.session[button];
      return action === 'none' ? { do: 'none' } : { do: action, session: target.session };
    }
    case 'option': {
      const { session, prompt, key, question } = target;
      const action = map.option[button];
      if (action === 'answer') return { do: 'answer', session, prompt, key, question };
      return action === 'none' ? { do: 'none' } : { do: action, session };
    }
    case 'quiet':
      return { do: button === 'left' ? 'end-quiet' : 'none' };
    case 'summary': {
      const isMenu = Object.entries(map.summary).some(
        ([name, action]) => name === button && action === 'menu',
      );
      return isMenu ? { do: 'menu', session: null } : { do: 'none' };
    }
    default:
      return { do: 'none' };
  }
}
