import { describe, expect, it } from 'vitest';
import { KEEP_ALIVE } from '../../src/daemon/bars.ts';
import { nowhere, type Place } from '../../src/sessions/place.ts';
import { aDaemon } from '../support/a-daemon.ts';
import { type Followed, follow } from '../support/program.ts';
import { until } from '../support/until.ts';

type Daemon = Awaited<ReturnType<typeof aDaemon>>;

const on = (output: string): Place => ({
  ...nowhere(''),
  certainty: 'exact',
  reason: null,
  desktop: 'i3',
  workspace: { name: '1', num: 1, output },
});
/** Lets what the daemon has told be read, and its ten tellings a second pass. */
async function settle({ clock, session }: Daemon, pid: number): Promise<void> {
  await session(pid);
  clock.pass(200);
}
const last = (bar: Followed) => bar.lines.at(-1) ?? '';
const shows = (bar: Followed, text: string | RegExp) =>
  until(() => last(bar).match(text), { why: `${text}`, saw: () => bar.lines });
const click = (daemon: Daemon, body: object) => daemon.ask('POST', '/v1/click', body);
const errorOf = ({ text }: { text: string }) => (JSON.parse(text).error as { message: string }).message;

describe('the slots of a bar', () => {
  it('each stay with their session, also when an earlier one ends', async () => {
    const daemon = await aDaemon();
    daemon.begins(7, '/home/ada/web');
    await settle(daemon, 7);
    daemon.begins(8, '/home/ada/api');
    await settle(daemon, 8);
    const [one, two] = await Promise.all(
      [1, 2].map((slot) => follow(daemon.socket, `/v1/bar/waybar?slot=${slot}`)),
    );
    if (one === undefined || two === undefined) throw new Error('no bars');
    await shows(one, '◌ web');
    await shows(two, '◌ api');
    daemon.ends(7);
    await shows(one, '"none"');
    daemon.clock.pass(200);
    daemon.begins(9, '/home/ada/docs');
    await shows(one, '◌ docs');
    expect(last(two)).toContain('◌ api');
  });

  /** Web in the first slot, docs in the third, none in the second; and then the next daemon. */
  async function restarted(): Promise<Daemon> {
    const first = await aDaemon();
    for (const [pid, name] of [
      [7, 'web'],
      [8, 'api'],
      [9, 'docs'],
    ] as const) {
      first.begins(pid, `/home/ada/${name}`);
      await settle(first, pid);
      await follow(first.socket, `/v1/bar/waybar?slot=${pid - 6}`);
    }
    first.ends(8);
    await settle(first, 7);
    await first.wiring.stop();
    const daemon = await aDaemon(undefined, { saved: first.folder, now: first.clock.now() });
    daemon.begins(9, '/home/ada/docs');
    daemon.begins(7, '/home/ada/web');
    await settle(daemon, 7);
    return daemon;
  }

  it('each stay with their session over a restart, in whichever order the clients come back', async () => {
    const daemon = await restarted();
    daemon.begins(10, '/home/ada/shop');
    await settle(daemon, 10);
    await shows(await follow(daemon.socket, '/v1/bar/waybar?slot=1'), '◌ web');
    await shows(await follow(daemon.socket, '/v1/bar/waybar?slot=3'), '◌ docs');
    await shows(await follow(daemon.socket, '/v1/bar/waybar?slot=2'), '◌ shop');
  });

  it('do not wait for ever for the clients of a bar that has fewer modules now', async () => {
    const daemon = await restarted();
    const one = await follow(daemon.socket, '/v1/bar/waybar?slot=1');
    daemon.ends(7);
    await shows(one, '"none"');
    daemon.clock.pass(14_000);
    expect(last(one)).toContain('"none"');
    daemon.clock.pass(2_000);
    await shows(one, '◌ docs');
  });

  it('d7: resolve a click against what they showed last, and do nothing once that has gone', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const bar = await follow(daemon.socket, '/v1/bar/waybar?slot=1');
    await shows(bar, '◌ s7');
    daemon.clock.pass(600);
    const body = { bar: 'waybar', slot: 1, output: null, button: 1 };
    expect((await click(daemon, body)).status).toBe(200);
    expect(daemon.desktop.gone).toEqual([7]);
    daemon.ends(7);
    await shows(bar, '"none"');
    daemon.clock.pass(600);
    const refused = await click(daemon, body);
    expect([refused.status, errorOf(refused)]).toEqual([409, 'nothing is shown there']);
    expect(errorOf(await click(daemon, { ...body, slot: 2 }))).toBe('nothing is shown there');
    expect(daemon.desktop.gone).toEqual([7]);
  });

  it('b16: do nothing for half a second after they show another session', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const bar = await follow(daemon.socket, '/v1/bar/waybar?slot=1');
    await shows(bar, '◌ s7');
    daemon.ends(7);
    await shows(bar, '"none"');
    daemon.clock.pass(200);
    daemon.begins(8);
    await shows(bar, '◌ s8');
    const body = { bar: 'waybar', slot: '1', button: 1 };
    daemon.clock.pass(499);
    expect((await click(daemon, body)).status).toBe(409);
    daemon.clock.pass(1);
    // The click was made before, and has been on its way for so long.
    expect((await click(daemon, { ...body, delay: 1 })).status).toBe(409);
    expect((await click(daemon, body)).status).toBe(200);
    expect(daemon.desktop.gone).toEqual([8]);
  });

  it('are refused by names that are none', async () => {
    const { ask } = await aDaemon();
    expect((await ask('GET', '/v1/bar/waybar?slot=zero')).status).toBe(400);
    expect((await ask('GET', '/v1/bar/xmobar')).status).toBe(404);
  });
});

describe('a bar on one output', () => {
  it('shows only the sessions there, and those that are nowhere, unless all are wanted', async () => {
    const daemon = await aDaemon();
    daemon.desktop.place(7, on('DP-1'));
    daemon.desktop.place(8, on('HDMI-1'));
    for (const pid of [7, 8, 9]) {
      daemon.begins(pid);
      await settle(daemon, pid);
    }
    await until(async () => (await daemon.sessions()).filter(({ place }) => place.workspace).length === 2, {
      why: 'places',
    });
    const left = await follow(daemon.socket, '/v1/bar/tmux?output=DP-1');
    const right = await follow(daemon.socket, '/v1/bar/waybar?slot=1&output=HDMI-1');
    const summary = await follow(daemon.socket, '/v1/bar/waybar?slot=summary&output=HDMI-1');
    await shows(left, /s7.*s9/);
    expect(last(left)).not.toContain('s8');
    await shows(right, '◌ s8');
    await shows(summary, '"text":"◌2"');
    daemon.configure('[bar]\noutputs = "all"');
    await shows(left, /s7.*s8.*s9/);
    await shows(summary, '"text":"◌3"');
  });
});

describe('a bar that only reads', () => {
  it('d9: is sent its line again from time to time, so that its client finds out when it has gone', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const silent = await follow(daemon.socket, '/v1/bar/waybar?slot=1&keep-alive=1');
    const plain = await follow(daemon.socket, '/v1/bar/waybar?slot=1');
    await shows(silent, '◌ s7');
    await shows(plain, '◌ s7');
    daemon.clock.pass(KEEP_ALIVE);
    await until(() => silent.lines.length === 2, { why: 'the line again' });
    expect(silent.lines[1]).toBe(silent.lines[0]);
    expect(plain.lines).toHaveLength(1);
    silent.close();
    await until(() => !daemon.clock.timers().includes(KEEP_ALIVE), { why: 'no timer for nobody' });
  });

  it('d14: costs no line while nothing changes for it', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const slot = await follow(daemon.socket, '/v1/bar/waybar?slot=1');
    const all = await follow(daemon.socket, '/v1/bar/json');
    await shows(slot, '◌ s7');
    daemon.begins(8);
    await shows(all, '◌ s8');
    expect(slot.lines).toHaveLength(1);
  });
});

describe('a new configuration', () => {
  it('shows on every bar at once, and a mistake in it is said where the user looks', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const bar = await follow(daemon.socket, '/v1/bar/i3bar');
    await shows(bar, '◌ s7');
    daemon.configure('[bar]\nglyphs = "ascii"');
    await shows(bar, ' \\? s7');
    daemon.clock.pass(200);
    daemon.configure('[bar]\nglyphs = "runes"');
    await shows(bar, 'config.toml:2:1: bar.glyphs: expected');
    expect(last(bar)).toContain('? s7');
    daemon.clock.pass(200);
    daemon.configure('');
    await shows(bar, '◌ s7');
    expect(last(bar)).not.toContain('config.toml');
  });
});

describe('a click on Polybar', () => {
  it('names its block and its line, and is inert while something moved on either side', async () => {
    const daemon = await aDaemon();
    daemon.begins(7);
    await settle(daemon, 7);
    const bar = await follow(daemon.socket, '/v1/bar/polybar');
    await shows(bar, '◌ s7');
    const lineNumber = () => Number(/--line (\d+)/.exec(last(bar))?.[1]);
    const { id } = await daemon.session(7);
    daemon.clock.pass(600);
    const body = (line: number) => ({ bar: 'polybar', instance: id, line, button: 1 });
    expect((await click(daemon, body(lineNumber()))).status).toBe(200);
    const old = lineNumber();
    daemon.begins(8);
    await shows(bar, '◌ s8');
    expect((await click(daemon, body(lineNumber()))).status).toBe(409);
    expect((await click(daemon, body(old))).status).toBe(200);
    daemon.clock.pass(600);
    expect((await click(daemon, body(lineNumber()))).status).toBe(200);
    expect((await click(daemon, body(12345))).status).toBe(409);
    expect(daemon.desktop.gone).toEqual([7, 7, 7]);
  });
});
