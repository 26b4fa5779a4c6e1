/**
 * What the rooms need of a log; the daemon passes in the real one. `facts` must never hold an environment,
 * a hook's whole body or a command's text: a hook's environment holds tokens.
 */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** For tests and for commands that have no log. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
