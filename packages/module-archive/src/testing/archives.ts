import { gzipSync } from 'node:zlib';

/** An entry of a tar archive, valid or not. */
export interface TestEntry {
  readonly name: string;
  /** `0` file (unless given), `1` hard link, `2` symbolic link, `5` folder, … */
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly target?: string;
  /** The size in the header, if it differs from the body's. */
  readonly size?: number;
}

/** Builds a tar archive with a proper end. */
export function tar(entries: readonly TestEntry[]): Buffer {
  return Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)]);
}

/** One entry: header, body and padding. */
export function tarEntry({ name, type = '0', body = '', target = '', size }: TestEntry): Buffer {
  const bytes = Buffer.from(body);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(type, 156);
  header.write(target, 157, 100);
  header.write('ustar\0', 257, 'latin1');
  header.write('00', 263);
  return Buffer.concat([withSum(header), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

/** Sets a header's checksum. */
export function withSum(header: Buffer): Buffer {
  header.write('        ', 148);
  let sum = 0;
  for (const byte of header) sum += byte;
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Builds a gzip archive of files by path. */
export function archive(files: Readonly<Record<string, string>>): Buffer {
  return gzipSync(tar(Object.entries(files).map(([name, body]) => ({ name, body }))));
}

/** Builds an archive of a module with an output of this name. */
export function smallModule(output = 'id'): Buffer {
  return archive({ 'main.tf': `output "${output}" {\n  value = 1\n}\n` });
}
