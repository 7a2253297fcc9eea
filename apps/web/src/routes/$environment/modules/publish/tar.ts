/**
 * Writes a tar archive of files only (ustar, with pax where a path needs it). The same files always give the same
 * bytes.
 */

const blockSize = 512;
const pathField = 100;

const encoder = new TextEncoder();

export interface TarFile {
  /** With `/` between names. */
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
}

/** The header blocks before a file's contents. */
export function tarHeader({ path, size, isExecutable }: TarFile): Uint8Array<ArrayBuffer> {
  const name = encoder.encode(path);
  const mode = isExecutable ? 0o755 : 0o644;
  // Longer or non-ASCII paths are written in full to a preceding entry.
  if (name.length <= pathField && name.every((byte) => byte < 0x80)) return ustar(name, size, mode, '0');
  const pax = paxRecord('path', path);
  return joined([
    ustar(encoder.encode('PaxHeader'), pax.length, 0o644, 'x'),
    pax,
    padding(pax.length),
    ustar(asciiOf(path), size, mode, '0'),
  ]);
}

/** Fills a file's last block. */
export function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((blockSize - (size % blockSize)) % blockSize);
}

/** The end of every archive. */
export function tarEnd(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(2 * blockSize);
}

/** The part of a path that fits, in ASCII, for readers that don't know pax. */
function asciiOf(path: string): Uint8Array {
  return encoder.encode(path.replaceAll(/[^\u0020-\u007E]/g, '_').slice(-pathField));
}

function ustar(name: Uint8Array, size: number, mode: number, type: string): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(blockSize);
  const write = (at: number, text: string): void => {
    header.set(encoder.encode(text), at);
  };
  const octal = (at: number, length: number, value: number): void => {
    write(at, value.toString(8).padStart(length - 1, '0'));
  };
  header.set(name);
  octal(100, 8, mode);
  octal(108, 8, 0);
  octal(116, 8, 0);
  octal(124, 12, size);
  octal(136, 12, 0);
  // The checksum is computed with spaces in its own field.
  write(148, ' '.repeat(8));
  write(156, type);
  write(257, 'ustar');
  write(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return header;
}

/** `length key=value`, where the length includes its own digits. */
function paxRecord(key: string, value: string): Uint8Array<ArrayBuffer> {
  const rest = encoder.encode(` ${key}=${value}\n`);
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return joined([encoder.encode(String(length)), rest]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
