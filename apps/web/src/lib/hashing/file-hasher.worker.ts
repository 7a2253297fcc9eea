/** Computes the SHA-256 of a file in pieces, and reports progress. */
import { createSHA256 } from 'hash-wasm';
import type { HasherAnswer, HasherRequest } from './hasher-messages.ts';

/** Bytes per read: large enough to be fast, small enough to spare memory. */
const pieceBytes = 4 * 1024 * 1024;

function answer(message: HasherAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it goes to the page that started this worker
  globalThis.postMessage(message);
}

async function hash(file: Blob): Promise<void> {
  const sha256 = await createSHA256();
  sha256.init();
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = await file.slice(at, at + pieceBytes).arrayBuffer();
    sha256.update(new Uint8Array(piece));
    answer({ kind: 'progress', hashed: at + piece.byteLength });
  }
  answer({ kind: 'done', sha256: sha256.digest('hex') });
}

globalThis.addEventListener('message', ({ data }: MessageEvent<HasherRequest>) => {
  hash(data.file).catch((error: unknown) => {
    answer({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  });
});
