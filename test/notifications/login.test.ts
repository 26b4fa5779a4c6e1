import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followLogin } from '../../src/notifications/login.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { aBus, aSocket } from './desktop-bus.ts';
import { aLogind } from './logind.ts';

function loginAt(socket: string) {
  const clock = manualClock();
  const login = followLogin({ clock, log: silentLog, uid: 1000, sockets: () => [socket] });
  onTestFinished(() => login.stop());
  let told = 0;
  login.subscribe(() => {
    told += 1;
  });
  return { ...login, clock, told: () => told };
}

describe('the screen', () => {
  it('is locked when logind says so, and that is told when it changes', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    const login = loginAt(socket);
    expect(await login.isLocked()).toBe(false);
    logind.lock(true);
    await until(() => login.isLocked(), { why: 'the lock' });
    logind.lock(false);
    await until(async () => !(await login.isLocked()), { why: 'the screen' });
    expect(login.told()).toBe(2);
  });

  it('is known to be locked with the first answer', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    logind.state.locked = true;
    expect(await loginAt(socket).isLocked()).toBe(true);
  });

  it('is not known to be locked where no session is graphical', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    logind.state.locked = true;
    logind.state.session = '/';
    expect(await loginAt(socket).isLocked()).toBe(false);
  });

  it('is not known to be locked without logind', async () => {
    const { socket } = await aBus();
    expect(await loginAt(socket).isLocked()).toBe(false);
  });

  it('is not known to be locked without a system bus', async () => {
    expect(await loginAt(aSocket()).isLocked()).toBe(false);
  });

  it('is not known to be locked while the system bus does not answer', async () => {
    const socket = aSocket();
    const mute = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(socket, resolve));
    onTestFinished(() => void mute.close());
    const login = loginAt(socket);
    const answer = login.isLocked();
    login.clock.pass(2_000);
    expect(await answer).toBe(false);
  });

  it('comes back from sleep with a word', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    const login = loginAt(socket);
    await login.isLocked();
    logind.wakes();
    await until(() => login.told() === 1, { why: 'the word' });
  });
});
