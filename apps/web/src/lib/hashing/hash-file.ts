import { startWorker } from '../trusted-worker.ts';
// oxlint-disable-next-line import/default -- the bundler answers the address of the worker's own bundle
import address from './file-hasher.worker.ts?worker&url';
import type { HasherAnswer, HasherRequest } from './hasher-messages.ts';

/**
 * The SHA-256 of a file in hexadecimal, computed in a worker so that the page stays responsive.
 * @param onProgress receives the number of bytes hashed so far
 * @throws Error if the file can't be read or has changed since it was picked; the signal's reason
 */
export function hashFile(
  file: Blob,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (hashed: number) => void },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  if (signal.aborted) return Promise.reject(asError(signal.reason));
  const worker = startWorker(address);
  signal.addEventListener('abort', () => {
    reject(asError(signal.reason));
  });
  worker.addEventListener('message', ({ data }: MessageEvent<HasherAnswer>) => {
    if (data.kind === 'progress') onProgress(data.hashed);
    else if (data.kind === 'done') resolve(data.sha256);
    else reject(new Error(data.reason));
  });
  worker.addEventListener('error', ({ message }) => {
    reject(new Error(message === '' ? "The worker that computes checksums didn't start." : message));
  });
  const request: HasherRequest = { file };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(request);
  return promise.finally(() => {
    worker.terminate();
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('Hashing was stopped.');
}
