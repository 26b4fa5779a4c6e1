// Plays a written day through all of the daemon but its process, by a clock that runs as fast as it can be read.

import type { Observation } from '../../src/sessions/observation.ts';
import { aDaemon } from '../support/a-daemon.ts';
import { settled } from '../support/passing.ts';
import { placedIn } from '../support/sessions.ts';

export interface Line {
  readonly number: number;
  /** ms since midnight. */
  readonly at: number;
  readonly who: string;
  readonly does: string;
  /** What the user is to be told at that time; null: nothing. */
  readonly told: string | null;
}

const LINE = /^(\d\d):(\d\d):(\d\d)(?: +(\w+) +([^!]+?))?(?: +! (.+))?$/;

export function readDay(text: string): Line[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, hours, minutes, seconds, who = '', does = '', told = null] = LINE.exec(line) ?? [];
    if (seconds === undefined) throw new Error(`line ${index + 1} says nothing: ${line}`);
    const at = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return [{ number: index + 1, at, who, does, told }];
  });
}

type Daemon = Awaited<ReturnType<typeof aDaemon>>;

interface Actor {
  readonly pid: number;
  readonly name: string;
  readonly startedAt: number;
  readonly kind: 'interactive' | 'print';
  turn: number;
  /** Commands that wait for an answer, oldest first. */
  readonly asked: { readonly command: string; readonly agent: string | null }[];
}

const midnight = Date.UTC(2026, 10, 30);
/** The pauses of the machine: what waits for nothing but its turn gets it. */
const TURNS = 6;

export interface Played {
  /** `09:00:40 web needs-input`, in order. */
  readonly told: string[];
}

export async function play(day: readonly Line[]): Promise<Played> {
  let daemon: Daemon = await aDaemon(undefined, { now: midnight + (day[0]?.at ?? 0) - 1000 });
  const actors = new Map<string, Actor>();
  const told: string[] = [];
  let seen = 0;
  let looksAt = '';

  async function turns(): Promise<void> {
    await settled(TURNS);
    for (const { key, card } of daemon.notified.told.slice(seen)) {
      const name = [...actors.values()].find(({ name: one }) => card.title.startsWith(`${one} · `))?.name;
      const what =
        key === 'summary'
          ? `summary: ${card.lines[0]?.replace(/^\d+ sessions? needs? you: /, '')}`
          : `${name} ${card.category.replace('x-tsmux.', '')}`;
      told.push(`${new Date(daemon.clock.now()).toISOString().slice(11, 19)} ${what}`);
    }
    seen = daemon.notified.told.length;
  }

  /** Lets the time pass, from one timer to the next. */
  async function until(time: number): Promise<void> {
    await turns();
    for (;;) {
      const left = midnight + time - daemon.clock.now();
      if (left <= 0) return;
      daemon.clock.pass(Math.min(daemon.clock.timers()[0] ?? left, left));
      await turns();
    }
  }

  function observe({ pid }: Actor, observation: Observation): void {
    daemon.observe(pid, observation);
  }

  function appear({ pid, name, startedAt, kind }: Actor): void {
    const about = { entrypoint: 'cli', cwd: `/home/ada/code/${name}`, configDir: '/home/ada/.claude' };
    daemon.observe(pid, { type: 'process-seen', at: daemon.clock.now(), kind, startedAt, ...about });
  }

  function look(at: string): void {
    looksAt = at;
    for (const { pid, name } of actors.values()) {
      daemon.desktop.place(pid, placedIn({ conId: pid, id: pid, focused: name === at }));
    }
    daemon.desktop.changed();
  }

  async function restart(): Promise<void> {
    const { folder, clock } = daemon;
    await daemon.wiring.stop();
    daemon = await aDaemon(undefined, { saved: folder, now: clock.now() });
    seen = 0;
    for (const actor of actors.values()) appear(actor);
    look(looksAt);
  }

  async function world(who: string, does: string): Promise<boolean> {
    const number = Number(/\d+/.exec(does)?.[0]);
    if (who === 'user') look(/^looks at (\w+)$/.exec(does)?.[1] ?? '');
    else if (who === 'screen') daemon.state.locked = does === 'is locked';
    else if (who === 'quiet') {
      if (does === 'ends') await daemon.ask('DELETE', '/v1/quiet');
      else await daemon.ask('PUT', '/v1/quiet', { minutes: number });
    } else if (who === 'lid') daemon.clock.jump(number * 60_000);
    else if (who === 'daemon') await restart();
    else return false;
    return true;
  }

  function begin(name: string, does: string): void {
    const kind = does === 'starts' ? 'interactive' : 'print';
    const actor: Actor = {
      pid: 100 + actors.size,
      name,
      startedAt: daemon.clock.now(),
      kind,
      turn: 0,
      asked: [],
    };
    actors.set(name, actor);
    appear(actor);
    look(looksAt);
  }

  function act(actor: Actor, does: string): void {
    const at = daemon.clock.now();
    const promptId = `turn-${actor.turn}`;
    const end = { type: 'turn-ended', at, source: 'hook', promptId, lastMessage: 'Done.' } as const;
    const number = Number(/\d+/.exec(does)?.[0]);
    const none = { agents: 0, shells: 0 };
    if (/^(works|goes on)$/.test(does)) {
      actor.turn += 1;
      const by = does === 'works' ? 'user' : 'task';
      observe(actor, { type: 'turn-started', at, source: 'hook', promptId: `turn-${actor.turn}`, by });
    } else if (does === 'finishes') {
      observe(actor, { ...end, how: 'finished', reason: null, background: none });
    } else if (does.startsWith('fails: ')) {
      observe(actor, { ...end, how: 'failed', reason: does.slice(7), background: none });
    } else if (does === 'is interrupted') {
      observe(actor, { ...end, how: 'interrupted', source: 'transcript', reason: null, background: null });
    } else if (/^stops while/.test(does)) {
      observe(actor, { ...end, how: 'finished', reason: null, background: { agents: number, shells: 0 } });
    } else if (/^runs \d+ agents$/.test(does)) {
      observe(actor, { type: 'background', at, agents: number, shells: 0 });
    } else if (does === 'is nudged') {
      observe(actor, { type: 'nudged', at, notification: 'idle_prompt', message: null });
    } else if (does === 'is answered') {
      const { command = '', agent = null } = actor.asked.shift() ?? {};
      const ended = { source: 'hook', promptId, toolUseId: null, tool: 'Bash' } as const;
      observe(actor, { type: 'tool-ended', at, ...ended, agent, inputKey: command });
    } else if (does === 'ends') {
      observe(actor, { type: 'process-gone', at });
      actors.delete(actor.name);
    } else ask(actor, does);
  }

  function ask(actor: Actor, does: string): void {
    const [, command, agent = null] = /^asks (.+?)(?:, as agent (\w+))?$/.exec(does) ?? [];
    if (command === undefined) throw new Error(`nobody can: ${does}`);
    actor.asked.push({ command, agent });
    observe(actor, {
      type: 'prompt-asked',
      at: daemon.clock.now(),
      promptId: `turn-${actor.turn}`,
      agent,
      permissionMode: 'default',
      prompt: {
        kind: 'permission',
        title: 'Bash',
        text: command,
        tool: 'Bash',
        inputKey: command,
        suggestions: [],
        questions: [],
      },
    });
  }

  for (const { at, who, does } of day) {
    await until(at);
    if (who === '' || (await world(who, does))) continue;
    const actor = actors.get(who);
    if (does.startsWith('starts')) begin(who, does);
    else if (actor !== undefined) act(actor, does);
    else throw new Error(`nobody is called ${who}`);
  }
  await until((day.at(-1)?.at ?? 0) + 60_000);
  return { told };
}
