// i3 and sway as the tests of tsmux's desktop need them: what is the same under both is told once, with one of these.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import { type AnyLab, type Lab, startLab } from './lab.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal, TerminalKind } from './terminals.ts';

export interface LabDesktop<L extends AnyLab> {
  readonly name: 'i3' | 'sway';
  /** The names of its two outputs. */
  readonly outputs: readonly [string, string];
  /** Its usual terminal, a process for each window. */
  readonly terminal: TerminalKind;
  /** With two outputs. */
  start(): Promise<L>;
  /** The terminal demands attention. */
  urge(lab: L, terminal: Terminal): Promise<unknown>;
  /** `workspace_auto_back_and_forth` */
  goBackAndForth(lab: L): Promise<void>;
}

export const i3: LabDesktop<Lab> = {
  name: 'i3',
  outputs: ['fake-0', 'fake-1'],
  terminal: 'xterm',
  start: () => startLab({ outputs: 2 }),
  urge: (lab, { windowId }) => lab.run('xdotool', ['set_window', '--urgency', '1', String(windowId)]),
  async goBackAndForth(lab) {
    appendFileSync(join(lab.folder, 'i3.conf'), 'workspace_auto_back_and_forth yes\n');
    await lab.i3.command('reload');
  },
};

export const sway: LabDesktop<SwayLab> = {
  name: 'sway',
  outputs: ['HEADLESS-1', 'HEADLESS-2'],
  terminal: 'foot',
  start: () => startSwayLab({ outputs: 2 }),
  urge: (lab, { conId }) => lab.sway.command(`[con_id=${conId}] urgent enable`),
  goBackAndForth: (lab) => lab.sway.command('workspace_auto_back_and_forth yes'),
};

/** As for a daemon that systemd started before there was any desktop. */
export const surroundings = (lab: AnyLab) => ({
  clock: systemClock,
  log: silentLog,
  environment: {},
  places: { runtimeDirs: [lab.runtime], temporaryDir: join(lab.folder, 'tmp'), uid: lab.uid },
  home: lab.home,
});

export const whereaboutsOf = ({ pid }: Terminal) => ({
  key: { bootId: bootId(), pid, startTime: readStat(pid)?.startTime ?? 0 },
  attachedBy: null,
});
