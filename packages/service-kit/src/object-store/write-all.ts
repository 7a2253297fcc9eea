import type { FileHandle } from 'node:fs/promises';

/**
 * Writes chunks one after another, completing partial writes (a nearly full disk may accept only part of a chunk).
 * @param position of the first byte in the file; the file's current position unless given
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
