import { basename, dirname } from 'node:path';
import type { Cancel, Clock } from '../system/clock.ts';
import { realPath } from '../system/read-file.ts';
import { watchDirectory } from '../system/watch.ts';
import { loadConfig, type Problem } from './load.ts';
import type { Config } from './schema.ts';

/** The configuration as it is now; the last good one while the file has a mistake. */
export interface LiveConfig {
  readonly config: () => Config;
  /** What is wrong with the file; empty when `config` is what it says. */
  readonly problems: () => readonly Problem[];
  /** Called when either of them changed. */
  subscribe(listener: () => void): void;
  stop(): void;
}

/** An editor may empty the file before it writes it, and an empty file is a valid one, ms. */
const SETTLED = 60;

/** Follows config.toml. It may come later, and be a link into a folder of dotfiles, which is then watched as well. */
export function followConfig(parts: { readonly file: string; readonly clock: Clock }): LiveConfig {
  const { file, clock } = parts;
  const listeners = new Set<() => void>();
  let cancel: Cancel = () => {};
  // What is written before the watch begins is read, and what is written after that is told.
  const watch = watchDirectory(dirname(file), { clock, changed: heard(basename(file)) });
  let target = watchTarget();
  let loaded = loadConfig(file);

  function heard(own: string): (name: string | null) => void {
    return (name) => {
      if (name !== null && name !== own) return;
      cancel();
      cancel = clock.after(SETTLED, reload);
    };
  }

  /** Where the link leads to, when it leads elsewhere. */
  function watchTarget(): { readonly path: string; readonly close: () => void } | null {
    const path = realPath(file);
    if (path === file) return null;
    return { path, close: watchDirectory(dirname(path), { clock, changed: heard(basename(path)) }).close };
  }

  function reload(): void {
    if ((target?.path ?? file) !== realPath(file)) {
      target?.close();
      target = watchTarget();
    }
    const next = loadConfig(file, loaded.config);
    if (JSON.stringify(next) === JSON.stringify(loaded)) return;
    loaded = next;
    for (const listener of listeners) listener();
  }

  return {
    config: () => loaded.config,
    problems: () => loaded.problems,
    subscribe: (listener) => void listeners.add(listener),
    stop() {
      cancel();
      watch.close();
      target?.close();
    },
  };
}
