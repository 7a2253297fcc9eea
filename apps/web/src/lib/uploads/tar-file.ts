/** Bytes of a header, and what contents are filled up to. */
const block = 512;

/**
 * The contents of the first file of a name in a tar archive: headers alone are looked at, and nothing after it is read.
 * @param stream its bytes, unpacked
 * @param maxBytes a larger file is none
 * @returns undefined where there is no such file as far as the stream goes, or what comes is no tar archive
 */
export async function fileOfTar(
  stream: ReadableStream<Uint8Array>,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const bytes = new Bytes(stream.getReader());
  try {
    for (;;) {
      const header = await bytes.take(block);
      if (header === undefined || !isHeader(header)) return undefined;
      const size = sizeIn(header);
      const isWanted = fileTypes.has(header[156] ?? 0) && nameIn(header).replace(/^\.\//, '') === name;
      if (isWanted) return size > maxBytes ? undefined : await bytes.take(size);
      if (!(await bytes.skip(Math.ceil(size / block) * block))) return undefined;
    }
  } finally {
    await bytes.close();
  }
}

/** '0', and what old archives write for it. */
const fileTypes: ReadonlySet<number> = new Set([0, 0x30]);

/** Bytes of a stream, taken in pieces of given lengths. */
class Bytes {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = new Uint8Array();

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** @returns undefined where fewer are left */
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

  /** @returns whether as many were left */
  async skip(length: number): Promise<boolean> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return false;
      const passed = Math.min(left, this.#rest.length);
      left -= passed;
      this.#rest = this.#rest.subarray(passed);
    }
    return true;
  }

  /** Reads no more. */
  async close(): Promise<void> {
    // A stream that failed is over as it is.
    await this.#reader.cancel().catch(() => undefined);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#reader.read();
    if (done) return false;
    this.#rest = new Uint8Array(value);
    return true;
  }
}

/** Whether the sum of a header is right; the zeros at the end of an archive are none. */
function isHeader(header: Uint8Array): boolean {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  const [written = ''] = /^ *[0-7]+/.exec(textIn(header, 148, 8)) ?? [];
  return written.trim() !== '' && Number.parseInt(written, 8) === sum;
}

/** Octal digits, or a binary number where the first bit is set. */
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
