/**
 * The wire format of i3 and sway (i3 docs, "IPC interface", sections 2.1 and 3.2; sway-ipc(7)): `i3-ipc`, then two
 * 32-bit numbers in the host's byte order, length and type of the payload, then the payload: JSON in UTF-8, or
 * a command's text. An event's type has the highest bit set, so a reply and an event can share one socket.
 */
export interface Message {
  /** Without the event bit. */
  readonly type: number;
  readonly isEvent: boolean;
  readonly payload: Buffer;
}

/** What came is not this protocol: nothing that follows on that socket can be trusted. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const magic = Buffer.from('i3-ipc', 'latin1');
const headerLength = magic.length + 8;
const eventBit = 0x8000_0000;
/** A tree of 50 windows is 76 KB. */
const longestPayload = 64 * 1024 * 1024;

export function encode(type: number, payload = '', isEvent = false): Buffer {
  const body = Buffer.from(payload, 'utf8');
  const message = Buffer.allocUnsafe(headerLength + body.length);
  magic.copy(message);
  message.writeUInt32LE(body.length, magic.length);
  message.writeUInt32LE((isEvent ? type | eventBit : type) >>> 0, magic.length + 4);
  body.copy(message, headerLength);
  return message;
}

/**
 * Takes the stream in whatever pieces it comes and returns the messages that are complete.
 * The returned function throws a ProtocolError, and must not be called again then.
 */
export function createDecoder(): (chunk: Buffer) => Message[] {
  let chunks: Buffer[] = [];
  let have = 0;
  // Pieces are joined only when a whole header or message is there: a long reply comes in many reads.
  let need = headerLength;

  return (chunk) => {
    chunks.push(chunk);
    have += chunk.length;
    if (have < need) return [];
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, have);
    const messages: Message[] = [];
    let start = 0;
    need = headerLength;
    while (bytes.length - start >= headerLength) {
      const { length, type } = readHeader(bytes, start);
      if (bytes.length - start < headerLength + length) {
        need = headerLength + length;
        break;
      }
      const payload = bytes.subarray(start + headerLength, start + headerLength + length);
      messages.push({ type: type & 0x7fff_ffff, isEvent: type >= eventBit, payload });
      start += headerLength + length;
    }
    const rest = bytes.subarray(start);
    chunks = rest.length > 0 ? [rest] : [];
    have = rest.length;
    return messages;
  };
}

function readHeader(bytes: Buffer, start: number): { length: number; type: number } {
  if (bytes.compare(magic, 0, magic.length, start, start + magic.length) !== 0) {
    throw new ProtocolError('a message does not start with "i3-ipc"');
  }
  const length = bytes.readUInt32LE(start + magic.length);
  if (length > longestPayload) throw new ProtocolError(`a message claims to be ${length} bytes long`);
  return { length, type: bytes.readUInt32LE(start + magic.length + 4) };
}

/**
 * `strict` throws for bytes that are not UTF-8 (a window's title can hold some); `forgiving` puts U+FFFD there,
 * which leaves the JSON around them whole. Both throw for what is not JSON.
 */
export function parsePayload(payload: Buffer, utf8: 'strict' | 'forgiving' = 'strict'): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: utf8 === 'strict' }).decode(payload));
}
