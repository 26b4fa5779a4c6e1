import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type ClaudeWorld, startClaudeWorld, VERSIONS } from './real-claude.ts';

describe.each(VERSIONS)('the rarer dialogs of Claude Code %s', (version) => {
  let world: ClaudeWorld;
  beforeAll(async () => {
    world = await startClaudeWorld();
  });
  afterAll(async () => {
    await world?.stop();
  });

  it('shows a plan and asks how to go on', async () => {
    const claude = await world.start({ version, in: 'tmux', mode: 'plan' });
    await claude.type('SCN:plan please');
    await claude.is('waiting', 'permission prompt');
    expect(await claude.options()).toContain('2. Yes, manually approve edits');
    await claude.shows('Add index');
    await claude.answer('2');
    await claude.shows('Plan step over.');
  });

  it('asks for a tool of an MCP server', async () => {
    const claude = await world.start({ version, in: 'tmux', shop: true });
    await claude.type('SCN:mcp please');
    await claude.is('waiting', 'permission prompt');
    expect(await claude.options()).toHaveLength(3);
    await claude.answer('1');
    await claude.shows('The server has answered.');
  });

  it('asks for two sub-agents, one after the other', async () => {
    const claude = await world.start({ version, in: 'tmux' });
    await claude.type('SCN:agenttwo please');
    await claude.shows('2 background agents');
    await claude.is('waiting');
    await claude.ready();
    const first = await claude.options();
    const asked = claude.sessionFile()?.statusUpdatedAt;
    await claude.press('1');
    // From one dialog to the next the session file says nothing new: it waits, as it did.
    await until(async () => `${await claude.options()}` !== `${first}`, { why: 'the second dialog' });
    expect(claude.sessionFile()).toMatchObject({ status: 'waiting', statusUpdatedAt: asked });
    await claude.ready();
    await claude.press('1');
    await until(() => claude.sessionFile()?.status === 'idle', { why: 'both to be over', limit: 20_000 });
  });
});
