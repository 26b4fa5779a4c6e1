import { expect } from 'vitest';
import type { Lab } from '../lab/lab.ts';
import type { Finished } from '../lab/shell.ts';
import { until } from '../support/until.ts';

/** What the user does with the bar and in a terminal of his own, and what he sees there. */
export interface User {
  /** What the options of the only session that asks say on the bar. */
  offered(): readonly string[];
  /** Waits until the bar offers exactly these options and the way to the terminal, and stands still. */
  isOffered(...options: readonly string[]): Promise<void>;
  /** A press of the real pointer on the option that says so. */
  clicks(option: string): Promise<void>;
  types(...command: readonly string[]): Promise<Finished>;
  /** `tsmux answer`, which must succeed. */
  answers(...args: readonly string[]): Promise<void>;
  /** As `answers`, without a target: so not before the prompt has been open for half a second. */
  answersOnly(...args: readonly string[]): Promise<void>;
}

export function userAt({ bar, tsmux }: Lab): User {
  const texts = () => bar.blocks().map(({ full_text }) => full_text.trim());
  const offered = () => texts().slice(1, texts().indexOf('→') + 1);
  async function answers(...args: readonly string[]): Promise<void> {
    expect(await tsmux(['answer', ...args])).toMatchObject({ status: 0, stderr: '' });
  }
  return {
    offered,
    isOffered: async (...options) => {
      await until(() => `${offered()}` === `${[...options, '→']}`, {
        why: `${options} on the bar`,
        saw: texts,
      });
      await bar.still();
    },
    clicks: (option) => bar.block(option).click(),
    types: (...command) => tsmux(command),
    answers,
    answersOnly: async (...args) => {
      await bar.still();
      await answers(...args);
    },
  };
}
