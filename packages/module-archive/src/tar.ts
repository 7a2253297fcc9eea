import { badArchive } from './bad-archive.ts';

/** An entry of a tar archive, with names as written there. */
export interface TarEntry {
  readonly kind: 'file' | 'folder' | 'hard link' | 'symbolic link';
  readonly name: string;
  /** The target of a link; empty for other entries. */
  readonly target: string;
  /** Size of a file in bytes. */
  readonly size: number;
}

const block = 512;
/** Most bytes of an entry that only describes the next one. */
const maxDescription = 64 * 1024;
/** Most bytes of all descriptions. Parsing them costs more than skipping a file. */
const maxDescriptions = 16 * 2 ** 20;
/** Most records of one pax description and of all. Usual ones have fewer than ten. */
const maxRecords = { ofOne: 1_000, ofAll: 200_000 };
/** Records after which others continue; parsing as many takes a few milliseconds. */
const recordsPerTurn = 4_000;
/** Most zero bytes after the last entry. Programs pad to a record of 10 KiB, or of a configured size. */
const maxEnd = 2 ** 20;

/**
 * Reads a tar archive (ustar, pax, GNU's long names) from a stream. Refuses archives that other readers (GNU tar, Go's
 * in Terraform, Python's, libarchive) interpret differently, because they would unpack another module than the one read
 * here.
 * @param enter called for each entry; if it returns a collector, that receives the file's bytes
 * @throws BadArchive for an invalid or ambiguous archive
 */
export async function readTar(
  stream: AsyncIterable<Uint8Array>,
  enter: (entry: TarEntry) => ((chunk: Buffer) => void) | undefined,
): Promise<void> {
  let last: string | undefined;
  try {
    await readEntries(new Bytes(stream), (entry) => {
      last = entry.name;
      return enter(entry);
    });
  } catch (error) {
    if (!(error instanceof Unplaced)) throw error;
    throw badArchive(
      last === undefined
        ? error.message
        : `${error.message} (at or after ${JSON.stringify(last.slice(0, 200))})`,
    );
  }
}

const notTar = 'it is not a tar archive';

/** A fault without a name to report. `readTar` adds the name of the last entry. */
class Unplaced extends Error {
  override readonly name = 'Unplaced';
}

async function readEntries(bytes: Bytes, enter: Parameters<typeof readTar>[1]): Promise<void> {
  let descriptions = 0;
  let records = 0;
  let pauseAt = recordsPerTurn;
  /** The next entry's path, target and size from its descriptions, and the types of these descriptions. */
  const described = new Map<string, string>();
  let types = '';
  for (let first = true; ; first = false) {
    const header = await bytes.take(block).catch((error: unknown) => {
      throw first && error instanceof Unplaced ? badArchive(notTar) : error;
    });
    if (header === undefined || isZero(header)) {
      if (first) throw badArchive('it is empty');
      if (types !== '') throw new Unplaced('it ends early');
      await bytes.expectZeros();
      return;
    }
    checkSum(header, first);
    const written = numberAt(header, 124, 12);
    const mode = numberAt(header, 100, 8);
    // Times before 1970 are negative.
    for (const [at, length] of otherNumbers)
      if (at !== 136 || header[at] !== 0xff) numberAt(header, at, length);
    const type = String.fromCharCode(header[156] ?? 0);
    if ('xgLK'.includes(type)) {
      if (written > maxDescription) throw new Unplaced('an extended header is too long');
      descriptions += written;
      if (descriptions > maxDescriptions) throw badArchive('its extended headers are too long');
      const text = await bytes.takeDescription(written);
      const pax = type === 'L' || type === 'K' ? undefined : readPax(text);
      records += pax?.records ?? 0;
      if (records > maxRecords.ofAll) throw badArchive('its extended headers have too many records');
      if (records >= pauseAt) {
        pauseAt = records + recordsPerTurn;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const said = pax?.said ?? longName(type, text);
      if (type === 'g' && said.size > 0)
        throw badArchive('it describes all of its entries with one path or size');
      // Of two descriptions, some readers use the first, others the last, and others both. A global description makes
      // Go's reader forget the previous one. With at most one per type, the limit of entries also limits descriptions.
      if (
        types.includes(type) ||
        (type === 'g' && types !== '') ||
        [...said.keys()].some((key) => described.has(key))
      )
        throw new Unplaced('it describes an entry twice');
      types += type;
      for (const [key, value] of said) described.set(key, value);
      continue;
    }
    const kind = kindOf(type);
    const name = described.get('path') ?? ustarName(header);
    const target = described.get('linkpath') ?? textOf(cString(header.subarray(157, 257)));
    const isLink = kind === 'hard link' || kind === 'symbolic link';
    const entry = { kind, name, target: isLink ? target : '', size: written };
    checkEntry(entry, { mode, size: described.get('size'), ownName: ustarName(header) });
    const collect = enter(entry);
    await bytes.pass(written, collect);
    described.clear();
    types = '';
  }
}

/** Takes bytes from a stream in pieces of given lengths. */
class Bytes {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** Takes a piece; undefined at the end of the stream. */
  async take(length: number): Promise<Buffer | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined;
    const parts: Buffer[] = [];
    await this.#each(length, (chunk) => parts.push(chunk));
    return Buffer.concat(parts, length);
  }

  /** Takes a description of `length` bytes. The rest of its last block must be zero, as some readers use it too. */
  async takeDescription(length: number): Promise<Buffer> {
    const blocks = await this.take(Math.ceil(length / block) * block);
    if (blocks === undefined) throw new Unplaced('it ends early');
    if (!isZero(blocks.subarray(length))) throw new Unplaced('an extended header is damaged');
    return blocks.subarray(0, length);
  }

  /** Skips an entry's contents, or passes them to `collect`. */
  async pass(length: number, collect: ((chunk: Buffer) => void) | undefined): Promise<void> {
    await this.#each(length, collect ?? (() => undefined));
    await this.#each((block - (length % block)) % block, () => undefined);
  }

  async expectZeros(): Promise<void> {
    let length = 0;
    do {
      if (!isZero(this.#rest)) throw badArchive('something follows its end');
      length += this.#rest.length;
      if (length > maxEnd) throw badArchive(`more than ${maxEnd / 2 ** 20} MiB of zeros follow its end`);
      this.#rest = Buffer.alloc(0);
    } while (await this.#more());
    if (length % block !== 0) throw new Unplaced('it ends early');
  }

  async #each(length: number, use: (chunk: Buffer) => void): Promise<void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Unplaced('it ends early');
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
      throw new Unplaced('it has a device or a pipe');
    default:
      throw new Unplaced(`it has an entry of an unknown kind (${JSON.stringify(type)})`);
  }
}

/** File types in a mode. Most archives have none. */
const modeTypes = {
  file: 0o100000,
  'hard link': 0o100000,
  folder: 0o040000,
  'symbolic link': 0o120000,
} as const;

/** Refuses an entry that some readers would unpack as something else. */
function checkEntry(
  { kind, name, target, size }: TarEntry,
  said: { readonly mode: number; readonly size: string | undefined; readonly ownName: string },
): void {
  const shown = JSON.stringify(name.slice(0, 200));
  // Terraform decides by the mode whether an entry is a folder.
  const type = said.mode - (said.mode % 0o10000);
  if (type !== 0 && type !== modeTypes[kind])
    throw badArchive(`${shown} is a ${kind} with the mode of another kind`);
  // Some readers use the name in the header even if a description has another.
  if (kind !== 'folder' && (/\/\.?$/.test(name) || said.ownName.endsWith('/')))
    throw badArchive(`${shown} is a ${kind} with the name of a folder`);
  if (kind === 'hard link' && /\/\.?$/.test(target)) throw badArchive(`${shown} is a hard link to a folder`);
  if (kind !== 'file' && size !== 0) throw badArchive(`${shown} is a ${kind} with contents`);
  // Some readers also use the described size for links and folders, others not even for files.
  if (Number(said.size ?? size) !== size) throw badArchive(`${shown} has two sizes`);
}

const zeros = Buffer.alloc(64 * 1024);

/** Compares in blocks, because checking each byte takes seconds for an archive that is mostly zeros. */
function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += zeros.length) {
    const part = bytes.subarray(at, at + zeros.length);
    if (!zeros.subarray(0, part.length).equals(part)) return false;
  }
  return true;
}

function checkSum(header: Buffer, first: boolean): void {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte;
  if (octalIn(header.subarray(148, 156)) !== sum)
    throw first ? badArchive(notTar) : new Unplaced('the header of an entry is damaged');
}

/**
 * Offset and length of an entry's owner, group, time and device fields. They aren't used here, but other readers stop
 * at a damaged one.
 */
const otherNumbers = [
  [108, 8],
  [116, 8],
  [136, 12],
  [329, 8],
  [337, 8],
] as const;

/** Reads octal digits, or a binary number if the first byte marks one. */
function numberAt(header: Buffer, at: number, length: number): number {
  const field = header.subarray(at, at + length);
  const value = field[0] === 0x80 ? Number.parseInt(field.toString('hex', 1), 16) : octalIn(field);
  if (!Number.isSafeInteger(value)) throw new Unplaced('a number in the header of an entry cannot be read');
  return value;
}

/** The only octal form that all readers interpret the same way. */
function octalIn(field: Buffer): number {
  const [, digits] = /^(?: *([0-7]+)[ \0]*|\0+)$/.exec(field.toString('latin1')) ?? [undefined, 'none'];
  return Number.parseInt(digits ?? '0', 8);
}

function ustarName(header: Buffer): string {
  const name = textOf(cString(header.subarray(0, 100)));
  const prefix = cString(header.subarray(345, 500));
  // GNU's own format and "star" store times where ustar has a prefix or its end, and not every reader knows this. Such
  // an entry would be checked here under one name and unpacked elsewhere under another.
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
    throw new Unplaced('the name of an entry is not UTF-8');
  }
}

/** Keys that make some readers unpack something other than the entry's bytes. */
const otherContents = /^(?:GNU\.|SUN\.holesdata|SCHILY\.(?:dir|filetype|offset|realsize|volhdr))/;

/** GNU's format of a description. */
function longName(type: string, bytes: Buffer): Map<string, string> {
  return new Map([[type === 'L' ? 'path' : 'linkpath', textOf(cString(bytes))]]);
}

/** Reads the path, target and size from records of the form `length key=value\n`. */
function readPax(bytes: Buffer): { readonly said: Map<string, string>; readonly records: number } {
  const found = new Map<string, string>();
  let records = 0;
  for (let at = 0; at < bytes.length; records += 1) {
    if (records === maxRecords.ofOne) throw new Unplaced('an extended header has too many records');
    const [, length = ''] = /^([1-9][0-9]{0,5}) /.exec(bytes.toString('latin1', at, at + 7)) ?? [];
    const end = at + Number(length);
    if (length === '' || end > bytes.length || bytes[end - 1] !== 0x0a)
      throw new Unplaced('an extended header is damaged');
    const record = bytes.subarray(at + length.length + 1, end - 1);
    const cut = record.indexOf('=');
    const key = textOf(record.subarray(0, Math.max(cut, 0)));
    if (key === '' || key.includes('\0')) throw new Unplaced('an extended header is damaged');
    if (otherContents.test(key))
      throw badArchive(`it has an extension that only some tools support: ${key.slice(0, 200)}`);
    if (found.has(key)) throw new Unplaced('it describes an entry twice');
    at = end;
    // Other values may contain any bytes, such as an extended attribute's.
    if (key !== 'path' && key !== 'linkpath' && key !== 'size') continue;
    const value = textOf(record.subarray(cut + 1));
    if (key === 'size' && !/^[0-9]{1,15}$/.test(value))
      throw new Unplaced('the size of an entry cannot be read');
    found.set(key, value);
  }
  return { said: found, records };
}
