import type { KeyPress, Sent } from './desktop.ts';

/** A pane that can be read and typed into from outside. */
export interface PaneScreen {
  /** What is on it now; null where it does not answer. */
  read(): Promise<string | null>;
  send(press: KeyPress): Promise<Sent>;
}
