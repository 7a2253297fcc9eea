/** Bytes of a header; contents are padded to its multiples. */
const block = 512;

/**
 * The first file of a name in a tar archive. Reads only headers before it, and nothing after it.
 * @param stream the archive, uncompressed
 * @param maxBytes a larger file counts as invalid
 * @returns `missing`: the whole archive has no such file; `cut`: the stream ended first; `invalid`: not a tar archive
 */
export async function fileOfTar(
  stream: ReadableStream<Uint8Array>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | 'missing' | 'cut' | 'invalid'> {
  const bytes = new Bytes(stream.getReader());
  try {
    for (;;) {
      const header = await bytes.take(block);
      if (header === undefined) return 'cut';
      if (!isHeader(header)) return header.every((byte) => byte === 0) ? 'missing' : 'invalid';
      const size = sizeIn(header);
      const isWanted = fileTypes.has(header[156] ?? 0) && nameIn(header).replace(/^\.\//, '') === name;
      if (isWanted) return size > maxBytes ? 'invalid' : ((await bytes.take(size)) ?? 'cut');
      if (!(await bytes.skip(Math.ceil(size / block) * block))) return 'cut';
    }
  } finally {
    await bytes.close();
  }
}

/** '0', and its equivalent in old archives. */
const fileTypes: ReadonlySet<number> = new Set([0, 0x30]);

/** Reads a stream in pieces of requested lengths. */
class Bytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = new Uint8Array();

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** @returns undefined if fewer are left */
  async take(length: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(length);
    for (let at = 0; at < length;) {
      if (this.#rest.length === 0 && !(await this.#more())) return undefined;
      const part = this.#rest.subarray(0, length - at);
      taken.set(part, at);
      at += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return taken;
  }

  /** @returns whether that many were left */
  async skip(length: number): Promise<boolean> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return false;
      const passed = Math.min(left, this.#rest.length);
      left -= passed;
      this.#rest = this.#rest.subarray(passed);
    }
    return true;
  }

  /** Stops reading. */
  async close(): Promise<void> {
    // A failed stream can't be canceled.
    await this.#reader.cancel().catch(() => undefined);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#reader.read();
    if (done) return false;
    this.#rest = new Uint8Array(value);
    return true;
  }
}

/** Whether a header's checksum is right; that of the zeros at the archive's end isn't. */
function isHeader(header: Uint8Array): boolean {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  const [written = ''] = /^ *[0-7]+/.exec(textIn(header, 148, 8)) ?? [];
  return written.trim() !== '' && Number.parseInt(written, 8) === sum;
}

/** Octal digits, or a binary number if the first bit is set. */
function sizeIn(header: Uint8Array): number {
  const field = header.subarray(124, 136);
  if (((field[0] ?? 0) & 0x80) !== 0) {
    return field.subarray(1).reduce((size, byte) => size * 256 + byte, (field[0] ?? 0) & 0x7f);
  }
  const size = Number.parseInt(textIn(header, 124, 12).trim(), 8);
  return Number.isNaN(size) ? 0 : size;
}

function nameIn(header: Uint8Array): string {
  return textIn(header, 0, 100);
}

function textIn(header: Uint8Array, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}
