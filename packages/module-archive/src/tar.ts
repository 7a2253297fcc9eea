import { badArchive } from './bad-archive.ts';

/** An entry of a tar archive, names as they are written there. */
export interface TarEntry {
  readonly kind: 'file' | 'folder' | 'hard link' | 'symbolic link';
  readonly name: string;
  /** Where a link leads; empty for others. */
  readonly target: string;
  /** Bytes of a file. */
  readonly size: number;
}

const block = 512;
/** Most bytes of an entry that only describes the next one. */
const maxDescription = 64 * 1024;
/** Most bytes of all of them: each is taken apart, which costs more than passing over a file. */
const maxDescriptions = 16 * 2 ** 20;

/**
 * Reads a tar archive (ustar, pax, GNU's long names) from the bytes of a stream.
 * @param enter told of each entry as it comes; takes the bytes of the file that it answers with a collector
 * @throws BadArchive for what is no such archive
 */
export async function readTar(
  stream: AsyncIterable<Uint8Array>,
  enter: (entry: TarEntry) => ((chunk: Buffer) => void) | undefined,
): Promise<void> {
  const bytes = new Bytes(stream);
  let descriptions = 0;
  let described: { path?: string; linkpath?: string; size?: number } = {};
  for (let first = true; ; first = false) {
    const header = await bytes.take(block);
    if (header === undefined) {
      if (first) throw badArchive('it is empty');
      return;
    }
    if (isZero(header)) {
      if (first) throw badArchive('it is empty');
      await bytes.expectZeros();
      return;
    }
    checkSum(header, first);
    const written = numberAt(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0);
    if ('xgLK'.includes(type)) {
      if (written > maxDescription) throw badArchive('the description of an entry is too long');
      descriptions += written;
      if (descriptions > maxDescriptions) throw badArchive('the descriptions of its entries are too long');
      const text = await bytes.takePadded(written);
      const said =
        type === 'L'
          ? { path: textOf(cString(text)) }
          : type === 'K'
            ? { linkpath: textOf(cString(text)) }
            : readPax(text);
      if (type === 'g' && Object.keys(said).length > 0)
        throw badArchive('it describes all of its entries with one path or size');
      // Some readers take the first of two, others the last.
      if (Object.keys(said).some((key) => key in described)) throw badArchive('it describes an entry twice');
      described = { ...described, ...said };
      continue;
    }
    const kind = kindOf(type);
    const name = described.path ?? ustarName(header);
    const size = kind === 'file' ? (described.size ?? written) : 0;
    if (kind !== 'file' && written !== 0) throw badArchive(`${name} is a ${kind} with contents`);
    // Old archives write folders as files.
    const isFolder = kind === 'file' && name.endsWith('/');
    if (isFolder && size !== 0) throw badArchive(`${name} is a folder with contents`);
    const target = described.linkpath ?? textOf(cString(header.subarray(157, 257)));
    const collect = enter({
      kind: isFolder ? 'folder' : kind,
      name,
      target: kind === 'hard link' || kind === 'symbolic link' ? target : '',
      size,
    });
    await bytes.pass(size, collect);
    described = {};
  }
}

/** Bytes of a stream, taken in pieces of given lengths. */
class Bytes {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the stream. */
  async take(length: number): Promise<Buffer | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined;
    const parts: Buffer[] = [];
    await this.#each(length, (chunk) => parts.push(chunk));
    return Buffer.concat(parts, length);
  }

  async takePadded(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.pass(length, (chunk) => parts.push(chunk));
    return Buffer.concat(parts, length);
  }

  /** Passes over the contents of an entry. */
  async pass(length: number, collect: ((chunk: Buffer) => void) | undefined): Promise<void> {
    await this.#each(length, collect ?? (() => undefined));
    await this.#each((block - (length % block)) % block, () => undefined);
  }

  async expectZeros(): Promise<void> {
    do {
      if (!isZero(this.#rest)) throw badArchive('something follows its end');
      this.#rest = Buffer.alloc(0);
    } while (await this.#more());
  }

  async #each(length: number, use: (chunk: Buffer) => void): Promise<void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw badArchive('it ends early');
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      use(chunk);
    }
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const next = await this.#iterator.next();
      if (next.done === true) return false;
      this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
      if (this.#rest.length > 0) return true;
    }
  }
}

function kindOf(type: string): TarEntry['kind'] {
  switch (type) {
    case '0':
    case '\0':
    case '7':
      return 'file';
    case '1':
      return 'hard link';
    case '2':
      return 'symbolic link';
    case '5':
      return 'folder';
    case '3':
    case '4':
    case '6':
      throw badArchive('it has a device or a pipe');
    default:
      throw badArchive(`it has an entry of an unknown kind (${JSON.stringify(type)})`);
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function checkSum(header: Buffer, first: boolean): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  const [field = ''] = /^ *[0-7]+/.exec(header.toString('latin1', 148, 156)) ?? [];
  if (field.trim() === '' || Number.parseInt(field, 8) !== sum)
    throw badArchive(first ? 'it is not a tar archive' : 'the header of an entry is damaged');
}

/** Octal digits, or a binary number where the first bit is set. */
function numberAt(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0) {
    let value = (field[0] ?? 0) & 0x7f;
    for (const byte of field.subarray(1)) value = value * 256 + byte;
    if (Number.isSafeInteger(value)) return value;
  } else {
    const text = field.toString('latin1').replaceAll('\0', ' ').trim();
    if (/^[0-7]*$/.test(text)) return text === '' ? 0 : Number.parseInt(text, 8);
  }
  throw badArchive('the size of an entry cannot be read');
}

function ustarName(header: Buffer): string {
  const name = textOf(cString(header.subarray(0, 100)));
  const prefix = cString(header.subarray(345, 500));
  // GNU's own form and that of "star" have times where ustar has a prefix or its end, and not every reader knows: such an
  // entry has a name that is checked here, and another one where it is unpacked.
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0';
  const isStar = header.toString('latin1', 508, 512) === 'tar\0';
  if (prefix.length > (isUstar ? (isStar ? 130 : 155) : 0))
    throw badArchive(
      `${JSON.stringify(textOf(prefix))} is read as a folder by some systems and as times by others`,
    );
  return prefix.length === 0 ? name : `${textOf(prefix)}/${name}`;
}

function cString(field: Buffer): Buffer {
  const end = field.indexOf(0);
  return end === -1 ? field : field.subarray(0, end);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badArchive('the name of an entry is not UTF-8');
  }
}

/** Records of the form `length key=value\n`. */
function readPax(bytes: Buffer): { path?: string; linkpath?: string; size?: number } {
  const found: { path?: string; linkpath?: string; size?: number } = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space === -1 ? Number.NaN : Number(bytes.toString('latin1', at, space));
    const end = at + length;
    if (!Number.isInteger(length) || end <= space + 1 || end > bytes.length || bytes[end - 1] !== 0x0a)
      throw badArchive('the description of an entry is damaged');
    const record = textOf(bytes.subarray(space + 1, end - 1));
    const cut = record.indexOf('=');
    const [key, value] = [record.slice(0, cut), record.slice(cut + 1)];
    if (key.startsWith('GNU.sparse.')) throw badArchive('it has a sparse file');
    if (key === 'path' || key === 'linkpath') found[key] = value;
    if (key === 'size') {
      found.size = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isNaN(found.size)) throw badArchive('the size of an entry cannot be read');
    }
    at = end;
  }
  return found;
}
