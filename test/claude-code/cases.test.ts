import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startLab } from '../lab/lab.ts';
import { nextPrompt, startServer, type Watch, watchBus } from '../lab/notification-servers.ts';
import { daemons, only, shows } from '../lab/on-the-bar.ts';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, type Session, startDesk } from './desk.ts';
import { type StartOptions, startClaudeWorld, VERSIONS } from './real-claude.ts';
import { type User, userAt } from './user.ts';

/** What Claude Code writes where a hook has failed. */
const HOOK_TROUBLE = /hook (?:error|failed|problem)|ECONNREFUSED|ENOENT/;
const nothingOpen = ({ prompts }: Session) => prompts.length === 0;

/** Those cases of prompts which are about what Claude Code does, beside those in prompts.ts. */
describe.each(VERSIONS)('what else is true of prompts of Claude Code %s', (version) => {
  let desk: Desk;
  let user: User;
  let watch: Watch;
  let at: OpenClaude;
  beforeAll(async () => {
    desk = await startDesk();
    user = userAt(desk.lab);
    desk.lab.write('.config/tsmux/config.toml', '[prompts]\nagent-hold = 4\n');
    await startServer(desk.lab, 'dunst');
    watch = await watchBus(desk.lab);
  });
  afterAll(() => desk?.stop());
  afterEach(() => at?.claude.kill('SIGTERM'));

  const outside = (name: string) => existsSync(join(desk.world.folders.outside, name));
  const open = async (more: Omit<StartOptions, 'version' | 'in'> = {}) => {
    at = await desk.open({ version, in: 'xterm', workspace: '3', ...more });
  };

  it('b13, b9: a sub-agent that nobody answers gets its dialog after a time, and no decision', async () => {
    await open();
    await at.claude.type('SCN:agent please');
    const held = await at.session.asks(({ agent, answerable }) => agent !== null && answerable === 'hook');
    expect(at.claude.sessionFile()?.status).not.toBe('waiting');
    await at.claude.is('waiting');
    const after = await at.session.asks(({ answerable }) => answerable === 'no');
    expect(after.id).toBe(held.id);
    expect(outside('sub1')).toBe(false);
    await at.claude.answer('1');
    await at.session.is('review', nothingOpen);
    expect(outside('sub1')).toBe(true);
  });

  // Of 2.1.332 every sub-agent runs in the background.
  if (version === '2.1.197')
    it('b13: a sub-agent in the foreground has its dialog all the time, and is held as long as it stands', async () => {
      await open();
      rmSync(join(desk.world.folders.outside, 'sub1'), { force: true });
      await at.claude.type('SCN:agentfront please');
      const { id } = await at.session.asks(
        ({ agent, answerable }) => agent !== null && answerable === 'hook',
      );
      await at.claude.is('waiting');
      await at.claude.shows('1. Yes');
      await at.look();
      await at.session.is('needs-input', ({ place }) => place.window?.focused === true);
      const longer = Date.now() + 5_000;
      await until(() => Date.now() > longer, { why: 'the time of a hold', limit: 10_000 });
      expect(at.session.now()?.prompts).toMatchObject([{ id, answerable: 'hook' }]);
      await desk.elsewhere();
      await user.isOffered('1 Yes', '3 No');
      await user.clicks('1 Yes');
      await at.session.is('review', nothingOpen);
      expect(outside('sub1')).toBe(true);
    });

  it('b15: a long command with control characters and markup shows harmless, and is never allowed for good', async () => {
    await open();
    await at.claude.type('SCN:hostile please');
    const prompt = await at.session.asks(({ answerable }) => answerable === 'hook');
    expect(prompt.options.map(({ means }) => means)).toEqual(['allow', 'deny', 'go']);
    await until(() => user.offered().length === 3, { why: 'the options', saw: user.offered });
    const drawn = desk.lab.bar.blocks().map(({ full_text }) => full_text);
    expect(drawn.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    const { stdout } = await user.types('show', prompt.id);
    expect(stdout).toContain('the end');
    expect(stdout).not.toMatch(/\u001b\[31m|\u202e/);
    await desk.lab.bar.still();
    await user.clicks('1 Yes');
    await at.session.is('review', nothingOpen);
    expect(outside('hostile')).toBe(true);
  });

  it('b17: without its hook a prompt is told by the session file, and leads to the terminal only', async () => {
    const file = join(desk.world.folders.configDir, 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    const { PermissionRequest: _, ...hooks } = settings.hooks;
    desk.world.settings({ ...settings, hooks });
    await open();
    await at.claude.type('SCN:bash please');
    const prompt = await at.session.asks();
    expect(prompt).toMatchObject({ answerable: 'no', options: [{ key: 'g' }] });
    expect(await user.types('answer', '--to', prompt.id, '1')).toMatchObject({ status: 5 });
    await at.claude.answer('Escape');
    await at.session.is('idle', nothingOpen);
    desk.world.settings(settings);
  });

  it('b18: in quiet time nothing is notified; it is on the bar, and its dialog stands', async () => {
    await open();
    expect(await user.types('focus', '30')).toMatchObject({ status: 0 });
    const before = watch.asked().length;
    await at.claude.type('SCN:bash please');
    await at.session.asks(({ answerable }) => answerable === 'hook');
    await shows(desk.lab.bar, at.session.now()?.id ?? '', '▲');
    await at.claude.shows('1. Yes');
    await desk.lab.bar.still();
    expect(watch.asked()).toHaveLength(before);
    await at.claude.answer('Escape');
    await at.session.is('idle', nothingOpen);
    // That is how it would have been told.
    expect(await user.types('focus', 'off')).toMatchObject({ status: 0 });
    const since = watch.asked().length;
    await at.claude.type('SCN:bash please');
    await nextPrompt(watch, since);
  });

  it('b7: of two sub-agents that asked a daemon before, each dialog is told when it stands', async () => {
    await open();
    await at.claude.type('SCN:agenttwo please');
    const { now } = at.session;
    await until(() => now()?.prompts.length === 2, { why: 'both', limit: 10_000, saw: now });
    process.kill(only(daemons(desk.lab)).pid, 'SIGKILL');
    await until(() => daemons(desk.lab).length === 1, { why: 'the next daemon', limit: 20_000 });
    await until(async () => (await user.types('list')).status === 0, { why: 'it to answer', limit: 10_000 });
    desk.watchAgain();
    const first = await at.session.asks();
    await at.claude.ready();
    const words = await at.claude.options();
    await at.claude.press('1');
    await until(async () => `${await at.claude.options()}` !== `${words}`, { why: 'the next dialog' });
    // From one dialog to the next the session file says nothing new.
    await at.session.asks(({ id }) => id !== first.id);
    await at.claude.ready();
    await at.claude.press('1');
    await at.session.is('review', nothingOpen);
  });

  it('b9: a daemon that hangs keeps nobody from an answer in the terminal, not even a sub-agent', async () => {
    await open();
    for (const name of ['x1', 'sub1']) rmSync(join(desk.world.folders.outside, name), { force: true });
    const { pid } = only(daemons(desk.lab));
    process.kill(pid, 'SIGSTOP');
    await at.claude.type('SCN:bash please');
    await at.claude.is('waiting');
    await at.claude.answer('1');
    await at.claude.shows('Done, the file exists now.');
    await at.claude.type('SCN:agent please');
    const { sessionFile, screen } = at.claude;
    await until(() => sessionFile()?.status === 'waiting', { why: 'its dialog', limit: 35_000, saw: screen });
    expect(outside('sub1')).toBe(false);
    process.kill(pid, 'SIGCONT');
    await at.session.asks(({ agent, answerable }) => agent !== null && answerable === 'no');
    await at.claude.answer('1');
    await at.session.is('review', nothingOpen);
    expect(outside('sub1')).toBe(true);
    expect(await at.claude.screen()).not.toMatch(HOOK_TROUBLE);
  });

  it('b20: where nothing is asked (bypassPermissions) nothing needs input', async () => {
    await open({ mode: 'bypassPermissions' });
    const states = at.session.since();
    await at.claude.type('SCN:sequence please');
    await at.claude.shows('All three done.');
    await at.session.is('review', ({ permissionMode }) => permissionMode === 'bypassPermissions');
    expect(states()).toEqual(['busy', 'review']);
    expect(outside('s1')).toBe(true);
  });
});

describe.each(VERSIONS)('Claude Code %s with the hooks of tsmux, and no daemon', (version) => {
  it('b8: asks as ever, says nothing of hooks, and starts none', async ({ onTestFinished }) => {
    const lab = await startLab();
    const world = await startClaudeWorld(lab);
    onTestFinished(async () => {
      await world.stop();
      await lab.stop();
    });
    expect(await lab.tsmux(['setup', '--yes', '--no-deny'])).toMatchObject({ status: 0 });
    const claude = await world.start({ version, in: 'tmux' });
    await claude.type('SCN:bash please');
    await claude.is('waiting', 'permission prompt');
    await claude.answer('1');
    await claude.shows('Done, the file exists now.');
    await claude.is('idle');
    expect(await claude.screen()).not.toMatch(HOOK_TROUBLE);
    expect(daemons(lab)).toEqual([]);
  });
});
