import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  becomeDaemon,
  checkSocketPath,
  isListening,
  lockHolder,
  lockPath,
  openRuntimeDir,
  takeLock,
} from '../../src/daemon/instance.ts';
import { bootId } from '../../src/system/proc.ts';

const uid = process.getuid?.() ?? 0;
const aFolder = () => mkdtempSync(join(tmpdir(), 'tsmux-test-'));

describe('the lock', () => {
  it('is held by one, and free again when he releases it', () => {
    const path = join(aFolder(), 'lock');
    const first = takeLock(path);
    expect(first.held).toBe(true);
    expect(takeLock(path)).toMatchObject({ held: false, holder: { pid: process.pid } });
    if (first.held) first.release();
    expect(lockHolder(path)).toBeNull();
    expect(takeLock(path).held).toBe(true);
  });

  it.each([
    ['a process that has ended', { pid: 2 ** 22 + 1, startTime: 5, bootId: bootId() }],
    ['a process that started at another time', { pid: process.pid, startTime: 5, bootId: bootId() }],
    ['a boot before this one', { pid: process.pid, startTime: 5, bootId: 'another' }],
    ['nobody who can be read', 'garbage'],
  ])('g4: of %s is taken over', (_, text) => {
    const folder = aFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
    expect(takeLock(path).held).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock']);
    expect(lockHolder(path)?.pid).toBe(process.pid);
  });
});

describe('the folder of the socket', () => {
  it('g6: is refused when it is open to others, a link, or no folder', () => {
    const folder = aFolder();
    mkdirSync(join(folder, 'open'), { mode: 0o755 });
    symlinkSync(aFolder(), join(folder, 'link'));
    writeFileSync(join(folder, 'file'), '');
    for (const name of ['open', 'link', 'file']) {
      expect(() => openRuntimeDir(join(folder, name), uid)).toThrow(name);
    }
  });

  it('g6: is refused when it belongs to somebody else', () => {
    expect(() => openRuntimeDir(aFolder(), uid + 1)).toThrow(`belongs to user ${uid}`);
  });

  it('is made, for its user alone', () => {
    const path = join(aFolder(), 'tsmux');
    openRuntimeDir(path, uid);
    expect(() => openRuntimeDir(path, uid)).not.toThrow();
  });
});

it('g7: a path that is too long for a socket is said with its length', () => {
  expect(() => checkSocketPath('x'.repeat(107))).not.toThrow();
  expect(() => checkSocketPath('x'.repeat(108))).toThrow(/108 bytes, and Linux allows 107/);
  expect(() => checkSocketPath('ü'.repeat(54))).toThrow(/108 bytes/);
});

describe('becoming the daemon', () => {
  it('g1: removes a socket that nobody listens on', async () => {
    const folder = aFolder();
    const socket = join(folder, 's');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await new Promise((resolve) => server.close(resolve));
    // A killed daemon has no time to remove it.
    writeFileSync(socket, '');
    const giveUp = await becomeDaemon(folder, socket, uid);
    expect(existsSync(socket)).toBe(false);
    giveUp();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('g2: touches no socket on which somebody listens, however slow he is', async () => {
    const folder = aFolder();
    const socket = join(folder, 's');
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    await expect(becomeDaemon(folder, socket, uid)).rejects.toThrow('a daemon runs already');
    expect(await isListening(socket)).toBe(true);
    expect(lockHolder(lockPath(folder))).toBeNull();
  });
});
