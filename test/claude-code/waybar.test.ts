import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { type SwayLab, startSwayLab } from '../lab/sway.ts';
import { startWaybar, type Waybar } from '../lab/waybar.ts';
import type { Rect } from '../lab/window-manager.ts';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import { type Watched, watchSessions } from './desk.ts';
import { type ClaudeWorld, startClaudeWorld, VERSIONS } from './real-claude.ts';

const { faces } = styles.chips;
/** What a module in this state is coloured, by contrib/waybar/style.css. */
const colour = (look: keyof typeof faces) => faces[look].background ?? '';

describe.each(VERSIONS)('Claude Code %s in foot under sway, in a slot of Waybar', (version) => {
  let lab: SwayLab;
  let world: ClaudeWorld;
  let waybar: Waybar;
  let claude: DrivenClaude;
  let session: Watched;

  beforeAll(async () => {
    lab = await startSwayLab();
    world = await startClaudeWorld(lab);
    expect(await lab.tsmux(['setup', '--yes', '--no-deny'])).toMatchObject({ status: 0, stderr: '' });
    const { stdout } = await lab.tsmux(['waybar', '--print-config', '--slots', '3']);
    waybar = await startWaybar(lab, {
      config: lab.write('.config/waybar/config', stdout),
      style: join(lab.project, 'contrib/waybar/style.css'),
      position: 'top',
      outputs: ['HEADLESS-1'],
    });
    const { watched } = watchSessions(lab);
    await lab.sway.command('workspace "3: web"');
    claude = await world.start({ version, in: 'foot' });
    session = watched(claude);
    await elsewhere();
  });
  afterAll(async () => {
    await world?.stop();
    await lab?.stop();
  });

  const elsewhere = () => lab.sway.command('workspace 1');
  /** The user writes to Claude, and goes away. */
  async function asks(scenario: string): Promise<void> {
    await claude.type(`SCN:${scenario} please`);
    await elsewhere();
  }
  const click = ({ x, y, height }: Rect) => lab.pointer.click(x + 8, y + Math.floor(height / 2));

  it('is found in its window, on its workspace', async () => {
    const { place } = await session.is('idle', ({ place }) => place.workspace !== null);
    expect(place).toMatchObject({ certainty: 'exact', workspace: { name: '3: web' }, pane: null });
    await waybar.shows(colour('idle'));
  });

  it('is busy while Claude works, and in review when it has finished', async () => {
    await asks('slow');
    await waybar.shows(colour('busy'));
    await world.model.finish();
    await waybar.shows(colour('review'));
  });

  it('comes to the front by a click on its module, and has been seen after a second', async () => {
    await click(await waybar.shows(colour('review')));
    await until(async () => (await lab.sway.focused())?.class === 'foot', {
      why: 'foot to have the focus',
      saw: lab.sway.windows,
    });
    expect(await lab.sway.focused()).toMatchObject({ workspace: '3: web' });
    await session.is('idle');
    await elsewhere();
    await waybar.shows(colour('idle'));
  });

  it('is answered by a click on the module of an option', async () => {
    await asks('bash');
    await waybar.shows(colour('needs-input'));
    const prompt = await session.asks(({ answerable }) => answerable === 'hook');
    expect(prompt.options[0]).toMatchObject({ key: '1', label: 'Yes' });
    const file = join(world.folders.outside, 'x1');
    expect(existsSync(file)).toBe(false);
    await click(await waybar.shows(colour('option')));
    await session.is('review', ({ prompts }) => prompts.length === 0);
    expect(existsSync(file)).toBe(true);
    await waybar.lacks(colour('needs-input'));
    await waybar.lacks(colour('option'));
    expect((await lab.sway.focused())?.class).not.toBe('foot');
  });

  it('is gone from its slot when it has ended', async () => {
    await claude.kill('SIGTERM');
    await waybar.lacks(colour('review'));
    expect(waybar.complaints().filter((line) => /markup|tsmux/i.test(line))).toEqual([]);
  });
});
