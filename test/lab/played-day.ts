// Plays a written day by stand-ins in real terminals, before a user who goes from one to the other. Long times between two
// lines are made short: the day takes minutes.
import { join } from 'node:path';
import type { Line } from '../daemon/day.ts';
import { aLogind } from '../notifications/logind.ts';
import { prepareStandIn } from '../stand-in/index.ts';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { type Asked, startServer, watchBus } from './notification-servers.ts';
import { type OpenSession, openSession } from './sessions.ts';

/**
 * How long it takes until the next line, ms. Ten seconds and more of the script are longer than the least work that is told of
 * (`min-work`) and than a look (a second); less than ten are shorter; the few seconds between prompts stay what they are.
 */
function pauseOf(seconds: number): number {
  if (seconds >= 10) return 1_600;
  return seconds > 3 ? 100 : seconds * 800;
}
const config = '[notifications]\nmin-work = 1\n';

/** What the model says in a turn: it works, asks for its commands one after the other, and comes to its end. */
function answersOf(day: readonly Line[], from: number): object[] {
  const { who } = day[from] as Line;
  const lines = day.slice(from + 1).filter((line) => line.who === who);
  const end = lines.findIndex(({ does }) =>
    /^(works|goes on|finishes|fails|is interrupted|stops|ends)/.test(does),
  );
  const turn = lines.slice(0, end + 1);
  const commands = turn.flatMap(({ does }) => /^asks ([^,]+)$/.exec(does)?.[1] ?? []);
  const agents = Number(/^stops while (\d)/.exec(turn.at(-1)?.does ?? '')?.[1] ?? 0);
  const agent = {
    tool: 'Agent',
    input: { description: 'Look', prompt: 'SCN:slow', run_in_background: true },
  };
  return [
    ...commands.map((command) => ({ endless: true, tools: [{ tool: 'Bash', input: { command } }] })),
    agents > 0
      ? { endless: true, tools: Array.from({ length: agents }, () => agent) }
      : { endless: true, text: 'Done.' },
    turn.at(-1)?.does.startsWith('fails')
      ? { status: 529, error: 'overloaded_error', message: 'Overloaded' }
      : { text: 'That is all.' },
  ];
}

interface Actor {
  readonly session: OpenSession;
  /** What hooks alone have asked for: a sub-agent beside the main thread, or one without a terminal. */
  readonly beside: object[];
}

/** `web needs-input`, `summary: web, api`. */
function wordsOf({ summary, body, hints }: Asked): string {
  const state = String(hints.category).replace('x-tsmux.', '');
  if (state !== 'summary') return `${summary.split(' · ')[0]} ${state}`;
  return `summary: ${body.split('\n')[0]?.replace(/^\d+ sessions? needs? you: /, '')}`;
}

/** A bus for logind, to which the test's own user may connect too. */
async function startSystemBus(lab: Lab): Promise<string> {
  const socket = join(lab.runtime, 'system-bus');
  const all = ['send_destination', 'receive_sender', 'own'].map((what) => `<allow ${what}="*"/>`).join('');
  const config = lab.write(
    'system-bus.conf',
    `<busconfig><type>session</type><listen>unix:path=${socket}</listen>` +
      `<policy context="default"><allow user="*"/>${all}</policy></busconfig>`,
  );
  const bus = lab.spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1']);
  await until(() => bus.lines().length > 0, { why: 'the system bus', saw: bus.stderr });
  return socket;
}

export interface Playing {
  readonly lab: Lab;
  /** What the user was told so far, each with the number of the line at which it came. */
  told(): readonly string[];
  play(line: Line, index: number): Promise<void>;
}

export async function playDay(day: readonly Line[]): Promise<Playing> {
  const lab = await startLab();
  const system = await startSystemBus(lab);
  const env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${system}` };
  const logind = await aLogind(system);
  lab.write('.claude/settings.json', '{}');
  lab.write('.config/tsmux/config.toml', config);
  await lab.output('tsmux', ['setup']);
  await lab.daemon({ env });
  // It draws nothing in the way of the pointer, which nobody moves, and says what it was asked to show.
  await startServer(lab, 'dunst');
  const watch = await watchBus(lab);
  const actors = new Map<string, Actor>();
  let last = day[0]?.at ?? 0;
  let expected = 0;

  // What only changes a notification, or brings one back, makes no sound.
  const told = () =>
    watch
      .asked()
      .filter(({ hints }) => hints['suppress-sound'] === undefined)
      .map(wordsOf);

  const look = async (who: string) => {
    const terminal = actors.get(who)?.session.terminal;
    if (terminal == null) await lab.i3.command('workspace 1');
    else await terminal.focus();
  };

  async function begin(who: string): Promise<void> {
    actors.set(who, { session: await openSession(lab, { name: who, workspace: who }), beside: [] });
    await look('');
  }

  /** `claude -p`, which works from its start to its end. */
  async function beginWithout(who: string): Promise<void> {
    const { command, env: own, connected, close } = await prepareStandIn({ args: ['-p', 'SCN:slow'] });
    lab.atStop(close);
    const [program, ...args] = command;
    lab.write(join('code', who, 'README'), '');
    lab.spawn(program, args, { env: own, cwd: join(lab.home, 'code', who) });
    const control = await connected;
    const finish = () => control.step({ do: 'finish' });
    actors.set(who, { session: { ...control, terminal: null, prompt: () => {}, finish }, beside: [] });
  }

  async function world(who: string, does: string): Promise<boolean> {
    const number = /\d+/.exec(does)?.[0] ?? '';
    if (who === 'user') await look(/^looks at (\w+)$/.exec(does)?.[1] ?? '');
    else if (who === 'screen') logind.lock(does === 'is locked');
    else if (who === 'quiet') await lab.output('tsmux', ['focus', does === 'ends' ? 'off' : number]);
    else if (who === 'daemon') {
      await lab.output('tsmux', ['stop']);
      await lab.output('tsmux', ['list'], { env });
    } else return who === 'lid';
    return true;
  }

  /** The user answers in the terminal: a dialog hears nothing in its first moment. */
  async function answer({ session, beside }: Actor): Promise<void> {
    const status = async () => {
      const { sessions } = JSON.parse(await lab.output('tsmux', ['list', '--json']));
      return sessions.find(({ pid }: { pid: number }) => pid === session.pid)?.prompts.length;
    };
    const before = await status();
    const [other] = beside;
    await until(
      async () => {
        await session.step({ do: 'press', key: '1' });
        return (await status()) < before;
      },
      { why: 'the answer to be heard', every: 100, limit: 3_000 },
    ).catch(async (error: unknown) => {
      if (other === undefined) throw error;
      beside.shift();
      await session.step({ do: 'hook', event: 'PostToolUse', fields: { ...other, tool_response: '' } });
    });
  }

  async function act(actor: Actor, does: string, index: number): Promise<void> {
    const { session } = actor;
    const beside = /^asks (.+?)(?:, as agent (\w+))?$/.exec(does);
    if (does === 'works' && session.terminal === null) return;
    if (does === 'works') {
      const answers = answersOf(day, index) as never;
      await session.step({ do: 'scenario', name: 'day', answers });
      session.prompt('SCN:day');
    } else if (beside !== null && (beside[2] !== undefined || session.terminal === null)) {
      const [, command = '', agent_id] = beside;
      const agent = agent_id === undefined ? {} : { agent_id, agent_type: 'general-purpose' };
      const fields = { tool_name: 'Bash', tool_input: { command }, ...agent };
      actor.beside.push(fields);
      // Its hook is held: done when it is answered.
      session.step({ do: 'hook', event: 'PermissionRequest', fields }).catch(() => {});
    } else if (/^asks|^finishes|^fails|^stops|^goes on/.test(does)) await session.finish();
    else if (does === 'is answered') await answer(actor);
    else if (does === 'is interrupted') await session.step({ do: 'press', key: 'Escape' });
    else if (does === 'is nudged') {
      const fields = { message: 'Claude is waiting for your input', notification_type: 'idle_prompt' };
      await session.step({ do: 'hook', event: 'Notification', fields });
    } else if (does === 'ends') process.kill(session.pid, 'SIGKILL');
    else if (!/^runs \d/.test(does)) throw new Error(`nobody can: ${does}`);
  }

  return {
    lab,
    told,
    async play({ at, who, does, told: deserved }, index) {
      await new Promise((over) => setTimeout(over, pauseOf((at - last) / 1000)));
      last = at;
      // The quiet time of the script comes to its end while half an hour of it is a moment here.
      if (deserved?.startsWith('summary')) await lab.output('tsmux', ['focus', 'off']);
      else if (who !== '' && !(await world(who, does))) {
        const actor = actors.get(who);
        if (does === 'starts') await begin(who);
        else if (does === 'starts without a terminal') await beginWithout(who);
        else if (actor !== undefined) await act(actor, does, index);
      }
      if (deserved !== null) {
        expected += 1;
        await until(() => told().length >= expected, { why: `line: ${deserved}`, limit: 10_000, saw: told });
      }
    },
  };
}
