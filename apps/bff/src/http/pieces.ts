import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const pieceBytes = 64 * 1024;

/**
 * Ends an answer with bytes that are sent in pieces. Until it closes, a TLS connection keeps as much memory as its
 * largest piece took, which no limit of unread answers counts.
 */
export async function endInPieces(answer: Writable, bytes: Buffer): Promise<void> {
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  };
  try {
    await pipeline(Readable.from(pieces(), { objectMode: false }), answer);
  } catch (error) {
    if (!answer.destroyed) throw error;
  }
}
