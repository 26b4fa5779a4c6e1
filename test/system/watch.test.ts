import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  watch as watchNative,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';
import { type DirectoryWatch, type WatchOptions, watchDirectory } from '../../src/system/watch.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

describe('a folder that is watched', () => {
  let root: string;
  let folder: string;
  let heard: (string | null)[];
  let watch: DirectoryWatch | undefined;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tsmux-watch-'));
    folder = join(root, 'deep', 'sessions');
    heard = [];
  });
  afterEach(() => {
    watch?.close();
    rmSync(root, { recursive: true });
  });

  function start(options: Partial<WatchOptions> = {}): DirectoryWatch {
    watch = watchDirectory(folder, { clock: systemClock, changed: (name) => heard.push(name), ...options });
    return watch;
  }
  const hears = (name: string | null) => until(() => heard.includes(name), { why: `news of ${name}` });

  it('tells the name of what changes in it', async () => {
    mkdirSync(folder, { recursive: true });
    start();
    writeFileSync(join(folder, '1.json'), '{}');
    await hears('1.json');
  });

  it('f8: need not be there yet, and may be removed and made again', async () => {
    start();
    mkdirSync(join(root, 'deep'));
    mkdirSync(folder);
    await hears(null);
    writeFileSync(join(folder, '1.json'), '{}');
    await hears('1.json');

    rmSync(join(root, 'deep'), { recursive: true });
    await until(
      () => {
        heard = [];
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, '2.json'), '{}');
        return true;
      },
      { why: 'the folder' },
    );
    await until(() => heard.length > 0, { why: 'news of the new folder' });
    writeFileSync(join(folder, '3.json'), '{}');
    await hears('3.json');
  });

  it('f10: may be a link, which leads elsewhere later', async () => {
    mkdirSync(join(root, 'deep'));
    mkdirSync(join(root, 'a'));
    mkdirSync(join(root, 'b'));
    symlinkSync(join(root, 'a'), folder);
    const followed = start();
    writeFileSync(join(root, 'a', '1.json'), '{}');
    await hears('1.json');
    unlinkSync(folder);
    symlinkSync(join(root, 'b'), `${folder}.new`);
    renameSync(`${folder}.new`, folder);
    followed.verify();
    writeFileSync(join(root, 'b', '2.json'), '{}');
    await hears('2.json');
  });

  for (const code of ['ENOSPC', 'EMFILE']) {
    it(`f9: is polled when inotify says ${code}, and says so`, async () => {
      mkdirSync(folder, { recursive: true });
      const native = () => {
        throw Object.assign(new Error('no watch left'), { code });
      };
      const polled = start({ native: native as never, pollEvery: 10 });
      expect(polled.mode()).toEqual({ kind: 'polling', why: `inotify: ${code}` });
      writeFileSync(join(folder, '1.json'), '{}');
      await hears(null);
    });
  }

  it('f9: is watched again when inotify has watches again, and tells what happened meanwhile', async () => {
    mkdirSync(folder, { recursive: true });
    const clock = manualClock();
    let left = 0;
    const native: typeof watchNative = ((...args: Parameters<typeof watchNative>) => {
      if (left === 0) throw Object.assign(new Error('no watch left'), { code: 'ENOSPC' });
      return watchNative(...args);
    }) as typeof watchNative;
    const polled = start({ clock, native });
    clock.pass(60_000);
    expect(polled.mode().kind).toBe('polling');
    expect(heard).toEqual([]);
    writeFileSync(join(folder, '1.json'), '{}');
    clock.pass(400);
    expect(heard).toEqual([null]);
    left = 1;
    clock.pass(20_000);
    expect(polled.mode()).toEqual({ kind: 'native' });
    expect(clock.timers()).toEqual([]);
    writeFileSync(join(folder, '2.json'), '{}');
    await hears('2.json');
  });

  it('that may not be read at first is watched later, and what happened meanwhile is told', async () => {
    mkdirSync(folder, { recursive: true });
    let tries = 0;
    const native: typeof watchNative = ((...args: Parameters<typeof watchNative>) => {
      tries += 1;
      if (tries === 1) throw Object.assign(new Error('no permission'), { code: 'EACCES' });
      return watchNative(...args);
    }) as typeof watchNative;
    start({ native });
    writeFileSync(join(folder, '1.json'), '{}');
    await hears(null);
    writeFileSync(join(folder, '2.json'), '{}');
    await hears('2.json');
  });

  it('that may never be read keeps nobody busy: no news of it, and one look after another, later and later', () => {
    mkdirSync(folder, { recursive: true });
    const clock = manualClock();
    let tries = 0;
    const native = () => {
      tries += 1;
      throw Object.assign(new Error('no permission'), { code: 'EACCES' });
    };
    const refused = start({ clock, native: native as never });
    for (let i = 0; i < 10; i++) refused.verify();
    expect(heard).toEqual([]);
    expect(clock.timers()).toHaveLength(1);
    clock.pass(10 * 60_000);
    expect(tries).toBeLessThan(60);
    expect(heard).toEqual([]);
  });

  it('is silent once it is closed', async () => {
    mkdirSync(folder, { recursive: true });
    start().close();
    const other = watchDirectory(folder, { clock: systemClock, changed: () => heard.push('other') });
    writeFileSync(join(folder, '1.json'), '{}');
    await hears('other');
    other.close();
    expect(new Set(heard)).toEqual(new Set(['other']));
  });
});
