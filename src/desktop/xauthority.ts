/**
 * The file of cookies that X clients prove themselves with (Xau(3), "FILE FORMAT"): for each entry a 16-bit
 * family, then address, display number, name of the method and data, each with a 16-bit length before it, all
 * big-endian.
 */
export interface Cookie {
  readonly name: string;
  /** One character for each byte. */
  readonly data: string;
}

const familyLocal = 256;
/** Fits every host; `xauth generate` writes it, and so do display managers. */
const familyWild = 65535;

/** The cookie for a display of this machine; null where the file has none, which some servers accept. */
export function findCookie(file: Buffer, display: number, hostname: string): Cookie | null {
  let offset = 0;
  const field = (): string | null => {
    if (offset + 2 > file.length) return null;
    const end = offset + 2 + file.readUInt16BE(offset);
    if (end > file.length) return null;
    const bytes = file.toString('latin1', offset + 2, end);
    offset = end;
    return bytes;
  };
  while (offset + 2 <= file.length) {
    const family = file.readUInt16BE(offset);
    offset += 2;
    const [address, number, name, data] = [field(), field(), field(), field()];
    if (address === null || number === null || name === null || data === null) return null;
    const here = family === familyWild || (family === familyLocal && address === hostname);
    if (here && (number === '' || Number(number) === display)) return { name, data };
  }
  return null;
}
