import type { Kind, Session } from '../sessions/session.ts';
import type { Manner, NotifiedState } from './notify.ts';

/** What the user's configuration says of notifications. Times in seconds, as the user writes them. */
export interface Wishes {
  readonly states: readonly NotifiedState[];
  readonly kinds: readonly Kind[];
  readonly show: boolean;
  readonly sound: boolean;
  readonly cooldown: number;
  readonly 'min-work': number;
  readonly 'break-quiet': boolean;
  readonly command: readonly string[];
  readonly rules: readonly Rule[];
}

/** What is said in a rule holds instead of what is said for all, where the rule fits. */
export interface Rule {
  /** Names, or folders, which hold for all that is in them; `*` stands for anything. None: all projects. */
  readonly projects?: readonly string[];
  readonly states?: readonly NotifiedState[];
  readonly notify?: boolean;
  readonly show?: boolean;
  readonly urgency?: Manner['urgency'];
  readonly sound?: boolean;
  readonly cooldown?: number;
  readonly 'min-work'?: number;
  readonly 'break-quiet'?: boolean;
  readonly command?: readonly string[];
}

const SECOND = 1_000;

/**
 * How the user wants to be told of a state of a session; null: not at all. Of the rules, the first that fits counts.
 *
 * @param home for `~` in the folders of rules.
 */
export function mannerOf(
  wishes: Wishes,
  session: Session,
  state: NotifiedState,
  home: string,
): Manner | null {
  if (!wishes.kinds.includes(session.kind)) return null;
  const rule = wishes.rules.find((one) => fits(one, session, state, home)) ?? {};
  if (!(rule.notify ?? wishes.states.includes(state))) return null;
  const command = rule.command ?? wishes.command;
  return {
    show: rule.show ?? wishes.show,
    urgency: rule.urgency ?? (state === 'needs-input' ? 'critical' : 'normal'),
    sound: rule.sound ?? wishes.sound,
    cooldown: (rule.cooldown ?? wishes.cooldown) * SECOND,
    minWork: (rule['min-work'] ?? wishes['min-work']) * SECOND,
    breaksQuiet: rule['break-quiet'] ?? wishes['break-quiet'],
    command: command.length === 0 ? null : command,
  };
}

function fits(rule: Rule, session: Session, state: NotifiedState, home: string): boolean {
  const { projects = [], states = [] } = rule;
  return (
    (states.length === 0 || states.includes(state)) &&
    (projects.length === 0 || projects.some((pattern) => matches(pattern, session, home)))
  );
}

function matches(pattern: string, { label, name, cwd }: Session, home: string): boolean {
  if (!pattern.includes('/')) return [label, name].some((one) => one !== null && isLike(one, pattern));
  const folder = pattern.replace(/^~(?=\/|$)/, home).replace(/(?<=.)\/+$/, '');
  return isLike(cwd, folder) || isLike(cwd, `${folder === '/' ? '' : folder}/*`);
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
