import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { daemons, only, shows } from '../lab/on-the-bar.ts';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, type Prompt, type Session, startDesk } from './desk.ts';
import type { Version } from './real-claude.ts';
import { type User, userAt } from './user.ts';

/** What Claude Code writes where a hook has failed. */
const HOOK_TROUBLE = /hook (?:error|failed|problem)|ECONNREFUSED|ENOENT/;

const words = ({ options }: Prompt) => options.map(({ key, label }) => `${key}. ${label}`);
const byHook = ({ answerable }: Prompt) => answerable === 'hook';
const waitsNoMore = ({ state, prompts }: Session) => state !== 'needs-input' && prompts.length === 0;

/**
 * The real Claude Code, asked and answered through tsmux. In xterm, whose screen nobody can read, and in tmux, where the
 * options are those on the screen; each tool, each kind of question and each way to answer at least once.
 */
export function describePrompts(version: Version): void {
  describe(`what Claude Code ${version} asks`, () => {
    let desk: Desk;
    let user: User;
    let at: OpenClaude;
    let env: Readonly<Record<string, string>>;

    beforeAll(async () => {
      desk = await startDesk();
      user = userAt(desk.lab);
      // The rule for npm is what counts; npm itself takes seconds to find no network.
      const bin = dirname(desk.lab.write('bin/npm', '#!/bin/sh\nexit 1\n', 0o755));
      env = { PATH: `${bin}:${desk.world.env.PATH}` };
    });
    afterAll(() => desk?.stop());
    // A test that has failed must not leave its dialog to the next.
    afterEach(async () => {
      if (at?.claude.sessionFile()?.status === 'waiting') await at.claude.answer('Escape');
    });

    const start = (where: 'xterm' | 'tmux', more: { mode?: 'plan'; shop?: true } = {}) =>
      desk.open({ version, in: where, workspace: '3', env, ...more });

    /** Prompts Claude, and waits for what it asks. */
    async function asked(scenario: string, holds: (prompt: Prompt) => boolean = byHook): Promise<Prompt> {
      await at.claude.type(`SCN:${scenario} please`);
      return at.session.asks(holds);
    }

    /** The prompt with the options of the dialog on the screen, where a plan may number its steps too. */
    async function asOnScreen({ id }: Prompt): Promise<Prompt> {
      const shown = await at.claude.options();
      return at.session.asks((prompt) => {
        const told = words(prompt).slice(0, -1);
        return prompt.id === id && told.length > 1 && `${told}` === `${shown.slice(-told.length)}`;
      });
    }

    /** Claude has ended its turn, and nothing is open any more. */
    async function over(said: string | RegExp): Promise<void> {
      await at.claude.shows(said);
      // On the screen it may stand since an earlier turn.
      const last = () => JSON.stringify(at.claude.transcript().findLast(({ type }) => type === 'assistant'));
      if (typeof said === 'string') await until(() => last().includes(said), { why: said, saw: last });
      await at.claude.is('idle');
      const { now } = at.session;
      await until(() => waitsNoMore(now() as Session), { why: 'no prompt', saw: now });
    }

    const outside = (name: string) => existsSync(join(desk.world.folders.outside, name));
    /** What an earlier test has made is gone. */
    const without = (name: string) => rmSync(join(desk.world.folders.outside, name), { force: true });
    const inProject = (name: string) => join(desk.world.folders.project, name);
    const isRule = (rule: string) =>
      until(() => readFileSync(inProject('.claude/settings.local.json'), 'utf8').includes(`"${rule}"`), {
        why: `the rule ${rule}`,
      });
    /** What Claude was told is in its transcript. */
    const told = (text: string | RegExp) =>
      until(() => JSON.stringify(at.claude.transcript().slice(-12)).match(text), {
        why: `"${text}" in the transcript`,
        saw: () => JSON.stringify(at.claude.transcript().slice(-6)),
      });
    /** Claude does the same once more. */
    async function asksNothing(scenario: string): Promise<void> {
      const states = at.session.since();
      await at.claude.type(`SCN:${scenario} please`);
      await until(() => states().includes('busy') && states().at(-1) === 'review', {
        why: 'the end of a turn',
        limit: 20_000,
        saw: states,
      });
      expect(states()).not.toContain('needs-input');
    }

    describe('in xterm', () => {
      beforeAll(async () => {
        at = await start('xterm');
      });
      afterAll(() => at?.claude.kill('SIGTERM'));

      it('Bash: is done after a click on Yes', async () => {
        const prompt = await asked('bash');
        expect(prompt).toMatchObject({ title: 'Bash', text: `touch ${desk.world.folders.outside}/x1` });
        expect(words(prompt)).toEqual([
          '1. Yes',
          `2. Always in this session: ${desk.world.folders.outside}`,
          '3. No',
          'g. Go to terminal',
        ]);
        // A rule that does not show whole is not offered on the bar.
        await user.isOffered('1 Yes', '3 No');
        expect(outside('x1')).toBe(false);
        await user.clicks('1 Yes');
        await over('Done, the file exists now.');
        expect(outside('x1')).toBe(true);
        expect(await at.claude.screen()).toContain('Allowed by PermissionRequest hook');
      });

      it('Write: is not done after tsmux answered No, which ends the turn as in the terminal', async () => {
        const prompt = await asked('write');
        expect(words(prompt)).toEqual(['1. Yes', '2. No', 'g. Go to terminal']);
        await user.answers('--to', prompt.id, '2');
        await over(/rejected write/i);
        expect(existsSync(inProject('src/new.ts'))).toBe(false);
        await at.session.is('idle', waitsNoMore);
      });

      it('Edit: is done after a Yes to the pinned prompt, which the bar marks', async () => {
        const { id } = await asked('edit');
        const pinned = await user.types('pin');
        expect(pinned).toMatchObject({ status: 0, stdout: expect.stringContaining(id) });
        await shows(desk.lab.bar, at.session.now()?.id ?? '', '◆');
        await user.answers('--pinned', '1');
        await over('Edit done.');
        expect(readFileSync(inProject('src/cart.ts'), 'utf8')).toContain('let total = 0; // cents');
        // Nothing takes its place.
        expect((await user.types('answer', '--pinned', '1')).status).toBe(5);
      });

      it('b1: Bash asks no more for what was always allowed by a click', async () => {
        await asked('npm');
        await user.isOffered('1 Yes', '2 Always Bash(npm install *)', '3 No');
        await user.clicks('2 Always Bash(npm install *)');
        await over('npm step finished.');
        await isRule('Bash(npm install *)');
        await asksNothing('npm');
      });

      it('b14: Claude goes on with the words that a No was given with', async () => {
        const prompt = await asked('webfetch');
        expect(words(prompt)).toEqual([
          '1. Yes',
          '2. Always: WebFetch(domain:docs.example.com)',
          '3. No',
          'g. Go to terminal',
        ]);
        await user.answersOnly('3', '--text', 'read docs/guide.md instead');
        await over('Fetched.');
        await told('read docs/guide.md instead');
      });

      it('b16: of two calls in a row a double click approves the first alone', async () => {
        const first = await asked('two');
        expect(first.text).toContain('/p1');
        await user.isOffered('1 Yes', '3 No');
        const { x, y, width, height } = await desk.lab.bar.block('1 Yes').rect();
        const pointer = () => desk.lab.pointer.click(x + width / 2, y + height / 2);
        await pointer();
        await pointer();
        const second = await at.session.asks((prompt) => prompt.id !== first.id && byHook(prompt));
        expect(second.text).toContain('/p2');
        await user.isOffered('1 Yes', '3 No');
        expect([outside('p1'), outside('p2')]).toEqual([true, false]);
        expect(at.session.now()?.prompts).toMatchObject([{ id: second.id, answerable: 'hook' }]);
        await user.answersOnly('1');
        await over('Both done.');
        expect(outside('p2')).toBe(true);
      });

      it('b3, b5: answered in the terminal first it is gone at once, and no late answer reaches the next', async () => {
        const first = await asked('sequence');
        await at.claude.answer('1');
        const isGone = () => at.session.now()?.prompts.every(({ id }) => id !== first.id);
        await until(isGone, { why: 'the prompt to be gone', limit: 500, saw: at.session.now });
        const second = await at.session.asks((prompt) => prompt.id !== first.id && byHook(prompt));
        const late = await user.types('answer', '--to', first.id, '1');
        expect(late).toMatchObject({ status: 5, stderr: expect.stringContaining('settled already') });
        await desk.lab.bar.still();
        expect(at.session.now()?.prompts).toMatchObject([{ id: second.id, answerable: 'hook' }]);
        expect([outside('s1'), outside('s2')]).toEqual([true, false]);
        await at.claude.answer('Escape');
        await at.session.is('idle', waitsNoMore);
      });

      it('AskUserQuestion: several choices are ticked by clicks, and Done answers', async () => {
        await asked('askmulti');
        await user.isOffered('1 Search', '2 Cart', '3 Reviews', '4 Done', '5 No');
        await user.clicks('1 Search');
        await user.isOffered('1 ✓ Search', '2 Cart', '3 Reviews', '4 Done', '5 No');
        await user.clicks('3 Reviews');
        await user.isOffered('1 ✓ Search', '2 Cart', '3 ✓ Reviews', '4 Done', '5 No');
        await user.clicks('4 Done');
        await over('Thank you.');
        await told('Search, Reviews');
      });

      it('b11: two questions are answered one after the other where the prompt is pinned', async () => {
        const { id } = await asked('asktwo');
        await user.types('pin', id);
        await user.isOffered('1 PostgreSQL', '2 SQLite', '3 MongoDB', '4 No');
        await user.answers('--pinned', '2');
        await user.isOffered('1 Search', '2 Cart', '3 Reviews', '4 Done', '5 No');
        await user.answers('--pinned', '2');
        await user.isOffered('1 Search', '2 ✓ Cart', '3 Reviews', '4 Done', '5 No');
        await user.answers('--pinned', '4');
        await over('Thank you.');
        await told(/Which database should the webshop use\?[^a-z]*SQLite/);
        await told(/Which features do you want\?[^a-z]*Cart/);
      });

      it('b13: a sub-agent is held while nobody looks, and answered there by a click', async () => {
        const prompt = await asked('agent', ({ agent }) => agent !== null);
        expect(prompt.answerable).toBe('hook');
        await user.isOffered('1 Yes', '3 No');
        expect(at.claude.sessionFile()?.status).toBe('busy');
        expect(await at.claude.screen()).not.toContain('1. Yes');
        await user.clicks('1 Yes');
        await at.session.is('review', waitsNoMore);
        expect(outside('sub1')).toBe(true);
      });

      it('a sub-agent: whoever is led to its terminal finds the dialog', async () => {
        without('sub1');
        const { id } = await asked('agent', ({ agent }) => agent !== null);
        await desk.lab.bar.still();
        await user.clicks('→');
        await at.claude.is('waiting');
        const { now } = at.session;
        await until(() => now()?.prompts[0]?.answerable === 'no', { why: 'the end of the hold', saw: now });
        expect(now()?.prompts[0]?.id).toBe(id);
        expect((await user.types('answer', '--to', id, '1')).status).toBe(5);
        await desk.elsewhere();
        await at.claude.answer('1');
        await at.session.is('review', waitsNoMore);
        expect(outside('sub1')).toBe(true);
      });
    });

    describe('in tmux', () => {
      beforeAll(async () => {
        at = await start('tmux', { shop: true });
      });
      afterAll(() => at?.claude.kill('SIGTERM'));

      it('Read: asks no more for what was always allowed with the key of the screen', async () => {
        const prompt = await asOnScreen(await asked('read'));
        expect(words(prompt).slice(0, -1)).toEqual(await at.claude.options());
        const always = prompt.options.find(({ means }) => means === 'allow-always');
        expect(always?.label).toMatch(/allow reading from .*etc\b/);
        await user.answers('--to', prompt.id, always?.key ?? '');
        await over('Read done.');
        await asksNothing('read');
      });

      it('WebFetch: asks no more for what was always allowed by a click, pressed in its pane', async () => {
        await asOnScreen(await asked('webfetch'));
        await user.isOffered('1 Yes', '2 Always docs.example.com', '3 No');
        await user.clicks('2 Always docs.example.com');
        await over('Fetched.');
        await isRule('WebFetch(domain:docs.example.com)');
        await asksNothing('webfetch');
      });

      it('a tool of an MCP server: is called after a Yes to the pinned prompt', async () => {
        const prompt = await asOnScreen(await asked('mcp'));
        expect(words(prompt).slice(0, -1)).toEqual(await at.claude.options());
        await user.types('pin', prompt.id);
        await user.answers('--pinned', '1');
        await over('The server has answered.');
        await told('echo: hello');
      });

      it('Write: is not done after a click on No', async () => {
        const prompt = await asOnScreen(await asked('write'));
        const no = prompt.options.find(({ means }) => means === 'deny');
        // A switch of the mode is on the screen, and never one click away.
        expect(prompt.options.some(({ means }) => means === 'mode')).toBe(true);
        await user.isOffered('1 Yes', `${no?.key} No`);
        await user.clicks(`${no?.key} No`);
        await over(/rejected write/i);
        expect(existsSync(inProject('src/new.ts'))).toBe(false);
      });

      it('b7: the daemon is killed, the dialog stays, and the prompt is back after the restart', async () => {
        without('x1');
        const before = await asOnScreen(await asked('bash'));
        process.kill(only(daemons(desk.lab)).pid, 'SIGKILL');
        await until(() => daemons(desk.lab).length === 1, { why: 'the next daemon', limit: 20_000 });
        await until(async () => (await user.types('list')).status === 0, {
          why: 'it to answer',
          limit: 10_000,
        });
        desk.watchAgain();
        const after = await at.session.asks(({ answerable }) => answerable === 'keys');
        expect(words(after)).toEqual(words(before));
        expect(at.claude.sessionFile()?.status).toBe('waiting');
        const screen = await at.claude.screen();
        expect(screen).toContain('❯ 1. Yes');
        expect(screen).not.toMatch(HOOK_TROUBLE);
        await user.answers('--to', after.id, '1');
        await over('Done, the file exists now.');
        expect(outside('x1')).toBe(true);
      });

      it('AskUserQuestion: a choice is answered by a click', async () => {
        await asked('ask');
        await user.isOffered('1 PostgreSQL', '2 SQLite', '3 MongoDB', '4 No');
        await user.clicks('3 MongoDB');
        await over('Thank you.');
        await told('MongoDB');
      });

      it('AskUserQuestion: takes words of one’s own', async () => {
        await asked('ask');
        await user.answersOnly('--text', 'CockroachDB, for its replication');
        await over('Thank you.');
        await told('CockroachDB, for its replication');
      });

      it('a sub-agent: its dialog comes when its window and its pane have the focus', async () => {
        const tmux = (...args: string[]) =>
          desk.lab.output('tmux', [
            '-S',
            desk.world.tmuxSocket,
            ...args,
            '-t',
            `${at.claude.terminal.session}:`,
          ]);
        await tmux('new-window');
        without('sub1');
        const { id } = await asked('agent', ({ agent }) => agent !== null);
        await at.look();
        await at.session.is('needs-input', ({ place }) => place.window?.focused === true);
        await desk.lab.bar.still();
        expect(at.session.now()).toMatchObject({ place: { pane: { focused: false } } });
        expect(at.claude.sessionFile()?.status).toBe('busy');
        await tmux('last-window');
        await at.claude.is('waiting');
        const prompt = await at.session.asks(({ answerable }) => answerable === 'keys');
        expect(prompt.id).toBe(id);
        await desk.elsewhere();
        await user.answers('--to', id, '1');
        await at.session.is('review', waitsNoMore);
        expect(outside('sub1')).toBe(true);
      });

      it('two sub-agents: each is answered for itself', async () => {
        without('sub1');
        await at.claude.type('SCN:agenttwo please');
        await at.session.asks(({ title, agent }) => title === 'Bash' && agent !== null);
        const write = await at.session.asks((prompt) => prompt.title === 'Write' && byHook(prompt));
        expect(at.session.now()?.prompts).toHaveLength(2);
        await user.answers('--to', write.id, write.options.find(({ means }) => means === 'deny')?.key ?? '');
        await at.session.asks(({ title }) => title === 'Bash');
        await user.isOffered('1 Yes', '3 No');
        await user.clicks('1 Yes');
        await at.session.is('review', waitsNoMore);
        expect([outside('sub1'), existsSync(inProject('subwrite.txt'))]).toEqual([true, false]);
      });
    });

    describe('in plan mode', () => {
      beforeAll(async () => {
        at = await start('tmux', { mode: 'plan' });
      });

      it('b10: a plan is approved by a click, its edits one by one', async () => {
        const prompt = await asOnScreen(await asked('plan', ({ kind }) => kind === 'plan'));
        const approve = prompt.options.find(({ means }) => means === 'allow');
        expect(approve?.label).toContain('manually approve edits');
        await until(() => user.offered().some((text) => text.startsWith(`${approve?.key} Yes`)), {
          why: 'the option on the bar',
          saw: user.offered,
        });
        await desk.lab.bar.still();
        await user.clicks(`${approve?.key} Yes`);
        await over('Plan step over.');
        expect(at.session.now()?.permissionMode).toBe('default');
      });
    });
  });
}
