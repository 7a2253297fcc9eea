/** Hashes a file as the page's worker does: with the same WebAssembly, piece by piece from a Blob. */
import { openAsBlob } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { createSHA256 } from 'hash-wasm';

const pieceBytes = 4 * 2 ** 20;

parentPort?.on('message', (path: string) => {
  void hash(path).then((digest) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- what started it has no origin
    parentPort?.postMessage(digest);
  });
});

async function hash(path: string): Promise<string> {
  const file = await openAsBlob(path);
  const sha256 = await createSHA256();
  sha256.init();
  for (let at = 0; at < file.size; at += pieceBytes) {
    sha256.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
  }
  return sha256.digest('hex');
}
