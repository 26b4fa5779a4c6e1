// The locator as the lab's user would run it: questions come in, answers go out, a line of JSON each. Built and
// started by locator.ts; the tests themselves may run as root, who sees and may do too much.
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { createLocator } from '../../src/desktop/locate.ts';
import { realOutside } from '../../src/desktop/outside.ts';
import { connectWindowManager } from '../../src/desktop/wm.ts';
import { openXServer } from '../../src/desktop/x11.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import type { Question } from './locator.ts';

const clock = systemClock;
const log = silentLog;
const display = process.env.DISPLAY ?? '';
const xauthority = process.env.XAUTHORITY ?? '';
const x = await openXServer({ display, xauthority, hostname: hostname(), clock, timeLimit: 3000 });
const wm = await connectWindowManager({
  path: process.env.SWAYSOCK ?? process.env.I3SOCK ?? '',
  clock,
  log,
  windowPids: (windows) => x.windowPids(windows),
  demandAttention: (window, demand) => x.demandAttention(window, demand),
  onChange: () => {},
  onGone: () => process.exit(1),
});

let asked = 0;
const outside = realOutside(clock, log);
const watched = {
  ...outside,
  openTerminal(pts: number) {
    asked += 1;
    return outside.openTerminal(pts);
  },
};
const locatorWith = (titleNonce: boolean) =>
  createLocator({
    clock,
    log,
    trees: () => [wm.tree()].filter((tree) => tree !== null),
    refreshTrees: async () => void (await wm.refresh()),
    titleNonce,
    outside: watched,
  });
const locators = { asking: locatorWith(true), silent: locatorWith(false) };

async function answer({ method, pid, attachedBy, titleNonce }: Question): Promise<unknown> {
  const locator = titleNonce === false ? locators.silent : locators.asking;
  if (method === 'noncesWritten') return asked;
  await wm.refresh();
  const key = { bootId: bootId(), pid, startTime: readStat(pid)?.startTime ?? 0 };
  const whereabouts = { key, attachedBy: attachedBy ?? null };
  return locator[method](whereabouts);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...question } = JSON.parse(line);
  answer(question).then(
    (value) => process.stdout.write(`${JSON.stringify({ id, value: value ?? null })}\n`),
    (error: unknown) => process.stdout.write(`${JSON.stringify({ id, error: String(error) })}\n`),
  );
}
process.exit(0);
