import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { dialogHears, nextPrompt, ripe, startServer, type Watch, watchBus } from './notification-servers.ts';
import { hasFocus } from './on-the-bar.ts';
import { type OpenSession, openSession } from './sessions.ts';
import type { Running } from './shell.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal } from './terminals.ts';

describe('notifications by mako under sway, which draws no buttons', () => {
  let lab: SwayLab;
  let web: OpenSession<Terminal>;
  let watch: Watch;
  let mako: Running;

  const state = async (): Promise<string | undefined> =>
    JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions[0]?.state;
  const is = (...wanted: readonly string[]) =>
    until(async () => wanted.includes((await state()) ?? ''), {
      why: `the session to be ${wanted}`,
      saw: state,
    });

  /** Claude asks while the user is elsewhere. */
  async function asks() {
    const before = watch.asked().length;
    await lab.sway.command('workspace 1');
    await is('idle');
    web.prompt('SCN:bash please');
    return nextPrompt(watch, before);
  }

  async function settle() {
    await dialogHears(lab);
    await web.step({ do: 'press', key: '1' });
    await over();
  }

  async function over() {
    await is('review', 'idle');
    await lab.tsmux(['seen']);
  }

  /** mako stands at the upper right, as its configuration says. */
  const click = (button: number) => lab.pointer.click(1280 - 100, 30, button);

  beforeAll(async () => {
    lab = await startSwayLab();
    lab.write('.claude/settings.json', '{}');
    lab.write('.config/mako/config', 'anchor=top-right\nmargin=10\nwidth=400\nheight=200\n');
    lab.write('choose', '#!/bin/sh\ntee $HOME/offered | grep "$1"\n', 0o755);
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '3: web' });
    mako = await startServer(lab, 'mako');
    watch = await watchBus(lab);
  });
  afterAll(() => lab?.stop());

  it('say what is asked, and where to answer it', async () => {
    const { summary, body, hints } = await asks();
    expect(summary).toBe('web · Bash');
    expect(body).toMatch(/ · 3 No\nAnswer with: makoctl menu, or tsmux answer --to p[a-z0-9]+ KEY$/);
    expect(hints).toMatchObject({ urgency: 2, resident: true });
    const list = JSON.parse(await lab.output('makoctl', ['list']));
    expect(JSON.stringify(list)).toContain('web · Bash');
    await settle();
    await until(() => watch.closed().length === 1, {
      why: 'it to be closed, as it was settled in the terminal',
    });
  });

  it('go to the terminal by a click', async () => {
    await asks();
    await until(async () => (await lab.output('makoctl', ['list'])).includes('web'), {
      why: 'mako to show it',
    });
    await click(1);
    await hasFocus(lab.sway, web.terminal);
    expect(await state()).toBe('needs-input');
    await settle();
  });

  it('are closed by a right click, and nothing is answered', async () => {
    const pressed = watch.pressed().length;
    const gone = watch.gone().length;
    await asks();
    await ripe(watch);
    await click(3);
    await until(() => watch.gone().length > gone, { why: 'the end of the notification' });
    expect(watch.pressed()).toHaveLength(pressed);
    expect(await state()).toBe('needs-input');
    await settle();
  });

  it('are answered from the menu of mako, and the answer reaches Claude', async () => {
    await asks();
    await ripe(watch);
    await lab.output('makoctl', ['menu', `${lab.home}/choose`, 'Yes']);
    await over();
    expect(watch.pressed().at(-1)?.[1]).toMatch(/^p[a-z0-9]+\/0\/1$/);
  });

  it('are answered by makoctl invoke, which is told the action', async () => {
    const { actions } = await asks();
    await ripe(watch);
    const [no] = [...actions].find(([, label]) => label === 'No') ?? [];
    await lab.output('makoctl', ['invoke', no ?? '']);
    await over();
  });

  it('are shown again by the next mako when the first was killed', async () => {
    await asks();
    const before = watch.asked().length;
    mako.kill('SIGKILL');
    await mako.finished;
    mako = await startServer(lab, 'mako');
    await until(() => watch.asked().length > before, { why: 'the notification by the next mako' });
    expect(watch.asked().at(-1)).toMatchObject({ summary: 'web · Bash' });
    await settle();
  });

  it('leave the light on the workspace until the user comes to the window, and put it on when he leaves', async () => {
    const urgent = async () =>
      (
        JSON.parse(await lab.output('swaymsg', ['-t', 'get_workspaces'])) as {
          name: string;
          urgent: boolean;
        }[]
      )
        .filter((one) => one.urgent)
        .map(({ name }) => name)
        .join();
    const lit = (names: string) =>
      until(async () => (await urgent()) === names, { why: `"${names}" to be urgent`, saw: urgent });
    await asks();
    await lit('3: web');
    await web.terminal?.focus();
    await lit('');
    await lab.sway.command('workspace 1');
    await lit('3: web');
    await settle();
    await lit('');
  });
});
