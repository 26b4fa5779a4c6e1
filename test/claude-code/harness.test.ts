import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { type ClaudeWorld, startClaudeWorld, VERSIONS } from './real-claude.ts';
import { goFile } from './scenarios.ts';

describe.each(VERSIONS)('the real Claude Code %s', (version) => {
  let world: ClaudeWorld;
  let claude: DrivenClaude;
  beforeAll(async () => {
    world = await startClaudeWorld();
    claude = await world.start({ version, in: 'tmux' });
  });
  afterAll(async () => {
    await world?.stop();
  });

  it('starts with no dialog and answers as the script says', async () => {
    await claude.type('SCN:hello there');
    await claude.shows('Everything is fine.');
    await claude.is('idle');
  });

  it('asks before it touches anything outside of its folder, and does it after a Yes', async () => {
    await claude.type('SCN:bash please');
    await claude.is('waiting', 'permission prompt');
    await claude.answer('1');
    await claude.shows('Done, the file exists now.');
    await claude.is('idle');
  });

  it('says for ever more words until the test lets it finish', async () => {
    await claude.type('SCN:slow please');
    await claude.is('busy');
    await world.model.finish();
    await claude.is('idle');
  });

  it('is a shell while only a background command runs', async () => {
    await claude.type('SCN:bgshell please');
    await claude.is('shell');
    writeFileSync(goFile(world.folders), '');
    await claude.is('idle');
  });

  it('takes its session file with it when it exits', async () => {
    await claude.exit();
    expect(claude.sessionFile()).toBeNull();
  });
});
