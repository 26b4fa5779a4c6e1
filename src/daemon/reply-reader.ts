import { StringDecoder } from 'node:string_decoder';

export interface ReplyHead {
  readonly status: number;
  /** Of the daemon; null where it does not say. */
  readonly version: string | null;
}

export interface ReplyListener {
  /** @returns whether the body is wanted. Without it, that of a status 2xx is. */
  onHead?(head: ReplyHead): boolean;
  onLine(line: string): void;
  /** The reply is whole: its sender meant it to end. */
  onWhole(): void;
  /** It is no reply that could be read, or the daemon's refusal. */
  onRefused(): void;
}

/**
 * Reads one HTTP/1.1 reply (RFC 9112) whose body is lines: as chunks, or with a length. Node's own client would take
 * a bar's process over the memory that it may have; what comes here is written by tsmux alone.
 */
export function createReplyReader(listener: ReplyListener): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest: Buffer = Buffer.alloc(0);
  let line = '';
  /** What is read next; a number: so many bytes of the body, in chunks or until the end. */
  let expects: 'head' | 'chunk size' | 'nothing' | { bytes: number; readonly chunked: boolean } = 'head';

  const body = (bytes: Buffer) => {
    const lines = (line + decoder.write(bytes)).split('\n');
    line = lines.pop() ?? '';
    for (const each of lines) listener.onLine(each);
  };
  const whole = () => {
    expects = 'nothing';
    if (line !== '') listener.onLine(line);
    listener.onWhole();
  };
  const refused = () => {
    expects = 'nothing';
    listener.onRefused();
  };

  /** The text up to the mark, taken from what has come; null: not all of it is there. */
  const takeUntil = (mark: string): string | null => {
    const end = rest.indexOf(mark);
    if (end === -1) return null;
    const text = rest.toString('latin1', 0, end);
    rest = rest.subarray(end + mark.length);
    return text;
  };

  const isWanted = (head: string): boolean => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    if (status === 0 || listener.onHead === undefined) return status >= 200 && status < 300;
    return listener.onHead({ status, version: /^tsmux-version: *(\S+)$/im.exec(head)?.[1] ?? null });
  };

  /** One step; false when more must come first. */
  const step = (): boolean => {
    if (expects === 'nothing') return false;
    if (expects === 'head') {
      const head = takeUntil('\r\n\r\n');
      if (head === null) return false;
      const length = /^content-length: *(\d+)$/im.exec(head)?.[1];
      if (!isWanted(head)) refused();
      else if (/^transfer-encoding: *chunked$/im.test(head)) expects = 'chunk size';
      else if (length === undefined) refused();
      else expects = { bytes: Number(length), chunked: false };
      return true;
    }
    if (expects === 'chunk size') {
      const size = takeUntil('\r\n');
      if (size === null) return false;
      const bytes = Number.parseInt(size, 16);
      if (Number.isNaN(bytes)) refused();
      else if (bytes === 0) whole();
      else expects = { bytes, chunked: true };
      return true;
    }
    const { bytes, chunked } = expects;
    if (rest.length < bytes + (chunked ? 2 : 0)) return false;
    body(rest.subarray(0, bytes));
    rest = rest.subarray(bytes + (chunked ? 2 : 0));
    if (chunked) expects = 'chunk size';
    else whole();
    return true;
  };

  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (step());
  };
}
