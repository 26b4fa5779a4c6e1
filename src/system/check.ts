/**
 * One line of `tsmux doctor`. Each room exports `check()`, which looks at the outside world by itself and
 * works with no daemon running.
 *  - `ok`: works.
 *  - `absent`: not there, and nothing that the user set up needs it.
 *  - `warning`: works in part.
 *  - `broken`: something that was set up does not work; `tsmux doctor` exits with 1.
 */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'absent' | 'warning' | 'broken';
  /** What was found, one line. */
  readonly detail: string;
  /** What to do about it, one line; null where there is nothing to do. */
  readonly hint: string | null;
}
