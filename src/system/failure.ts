/**
 * Every way in which tsmux tells that it could not do what was asked: `status` is that of an HTTP reply, `exit`
 * the exit code of a command (0 done, 1 failed, 2 wrong usage, 3 no daemon, 4 not found or not unique, 5 refused).
 */
const KINDS = {
  failed: { status: 500, exit: 1 },
  'bad-request': { status: 400, exit: 2 },
  'too-large': { status: 413, exit: 1 },
  'no-such-route': { status: 404, exit: 1 },
  'older-daemon': { status: 426, exit: 3 },
  'no-daemon': { status: 503, exit: 3 },
  'no-such-session': { status: 404, exit: 4 },
  'no-such-prompt': { status: 404, exit: 4 },
  'not-unique': { status: 409, exit: 4 },
  'cannot-go': { status: 409, exit: 1 },
  refused: { status: 409, exit: 5 },
} as const;

export type FailureCode = keyof typeof KINDS;

/** `message` says why, `hint` what to do about it; both are one line for the user. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string;

  constructor(code: FailureCode, message: string, hint: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.hint = hint;
  }

  get status(): number {
    return KINDS[this.code].status;
  }

  get exit(): number {
    return KINDS[this.code].exit;
  }
}

/** The code that another version of tsmux sent, if this one knows it. */
export function failureCode(code: unknown): FailureCode {
  return typeof code === 'string' && Object.hasOwn(KINDS, code) ? (code as FailureCode) : 'failed';
}
