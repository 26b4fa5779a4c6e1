import type { Answered } from '../../src/daemon/answering.ts';
import type { WirePrompt } from '../../src/daemon/wire.ts';
import type { KeyPress } from '../../src/desktop/desktop.ts';
import { aDaemon } from './a-daemon.ts';
import { hookBody, sendHook } from './hooks.ts';
import { passing, settled } from './passing.ts';
import { placedIn } from './sessions.ts';
import { until } from './until.ts';

export type Settings = NonNullable<Parameters<typeof aDaemon>[1]>;

/** A daemon with one session (pid 7), whose hooks ask. */
export async function aSessionThatAsks(
  name = 'Bash',
  more: Record<string, unknown> = {},
  settings: Settings = {},
) {
  const daemon = await aDaemon(undefined, settings);
  daemon.begins(7);
  await daemon.session(7);
  const asks = (what = name, change: Record<string, unknown> = more) =>
    sendHook(daemon.socket, 7, hookBody(`PermissionRequest.${what}`, change), daemon.clock.now());
  const prompts = async () => (await daemon.session(7)).prompts;
  const prompt = (of: (prompt: WirePrompt) => boolean = () => true): Promise<WirePrompt> =>
    until(async () => (await prompts()).find(of), { why: 'the prompt' });
  const answer = (id: string, ...keys: string[]) => daemon.ask('POST', `/v1/prompts/${id}/answer`, { keys });
  /** What is answered: the body of the request, as far as it differs. */
  const replies = async (query: string, given: object) => {
    const { status, text } = await daemon.ask('POST', `/v1/prompts/${query}/answer`, given);
    return {
      status,
      ...(JSON.parse(text) as { error?: { code: string; message: string } } & Partial<Answered>),
    };
  };
  /** Lets the time pass in small steps, and after each what it set off. */
  const passes = async (ms: number) => {
    await passing(daemon.clock, ms);
    await settled(5);
  };
  const tells = (event: Record<string, unknown>) =>
    daemon.ask('POST', '/v1/hook', event, {
      'claude-pid': '7',
      'hook-start': String(daemon.clock.now()),
    });
  return { ...daemon, replies, passes, asks, prompts, prompt, answer, tells };
}

const inTmux = placedIn({}, { kind: 'tmux', id: '%3', focused: false });

/** A session in a pane of tmux, whose screen can be read. */
export async function inAPane(name = 'Bash', more: Record<string, unknown> = {}, settings: Settings = {}) {
  const asking = await aSessionThatAsks(name, more, settings);
  asking.desktop.place(7, inTmux);
  asking.desktop.changed();
  await until(async () => (await asking.session(7)).place.pane, { why: 'its pane' });
  const decision = async (hook: { readonly ended: Promise<string> }) =>
    JSON.parse(await hook.ended).hookSpecificOutput.decision;
  /** Claude Code takes every key, and goes on. */
  const claudeTakesKeys = () => {
    const { sends } = asking.desktop;
    asking.desktop.sends = (pid: number, press: KeyPress) => {
      const sent = sends(pid, press);
      if (sent === 'sent') {
        asking.clock.pass(20);
        void asking.tells(hookBody('Stop', { prompt_id: 'any' }));
      }
      return sent;
    };
  };
  return { ...asking, decision, claudeTakesKeys };
}
