import type { FileHandle } from 'node:fs/promises';

/**
 * Writes pieces one after another, also to a disk that takes a part at a time because it is nearly full.
 * @param position of the first byte in the file; without it they go where the file stands
 */
export async function writeAll(
  file: FileHandle,
  pieces: readonly Uint8Array[],
  position?: number,
): Promise<void> {
  if (pieces.length === 0) return;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten: done } = await file.writev(pieces, position);
  if (done === length) return;
  const rest = Buffer.concat(pieces).subarray(done);
  for (let at = 0; at < rest.length;) {
    const next = position === undefined ? null : position + done + at;
    at += (await file.write(rest, at, rest.length - at, next)).bytesWritten;
  }
}
