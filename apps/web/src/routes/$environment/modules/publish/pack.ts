import { archiveLimitBytes } from '@gatehouse/api-types/console/modules';
import type { PackedFile } from './choose-files.ts';
import { padding, tarEnd, tarHeader } from './tar.ts';

/** The largest total file size in bytes. Registries don't unpack more. */
const unpackedLimitBytes = 256 * 2 ** 20;

/** The files can't be packed; the message says why. */
export class CannotPack extends Error {
  override readonly name = 'CannotPack';
}

/**
 * Packs files as a gzip-compressed tar archive. The same files give the same bytes in the same browser.
 * @param onProgress called with the packed fraction, from 0 to 1
 * @throws CannotPack
 */
export async function pack(
  files: readonly PackedFile[],
  onProgress: (part: number) => void = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const total = files.reduce((sum, { contents }) => sum + contents.size, 0);
  if (files.length === 0) throw new CannotPack('The folder has no files to pack.');
  if (total > unpackedLimitBytes)
    throw new CannotPack(`The files are ${mebibytes(total)} MiB. An archive can contain up to 256 MiB.`);
  let done = 0;
  const parts = tarParts(files, (size) => {
    done += size;
    onProgress(total === 0 ? 1 : done / total);
  });
  const tar = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done: isDone } = await parts.next();
      if (isDone === true) controller.close();
      else controller.enqueue(value);
    },
  });
  const packed = await new Response(tar.pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  checkSize(packed.byteLength);
  return new Uint8Array(packed);
}

/** @throws CannotPack if the archive is too large for the page to publish */
export function checkSize(bytes: number): void {
  if (bytes > archiveLimitBytes)
    throw new CannotPack(
      `The archive is ${mebibytes(bytes)} MiB. The console publishes up to ${archiveLimitBytes / 2 ** 20} MiB. Remove files the module doesn't need, or publish it from the command line.`,
    );
}

async function* tarParts(
  files: readonly PackedFile[],
  onPacked: (size: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined, undefined> {
  for (const { path, contents } of files) {
    const bytes = new Uint8Array(await contents.arrayBuffer());
    // Browsers don't report whether a file is executable.
    const isExecutable = bytes[0] === 0x23 && bytes[1] === 0x21;
    yield tarHeader({ path, size: bytes.length, isExecutable });
    if (bytes.length > 0) yield bytes;
    const fill = padding(bytes.length);
    if (fill.length > 0) yield fill;
    onPacked(bytes.length);
  }
  yield tarEnd();
}

function mebibytes(bytes: number): string {
  return (Math.ceil((bytes / 2 ** 20) * 10) / 10).toLocaleString('en');
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  // A multiple of 3, so that the encoded pieces can be joined.
  const piece = 3 * 8192;
  let text = '';
  for (let at = 0; at < bytes.length; at += piece)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + piece)));
  return text;
}
