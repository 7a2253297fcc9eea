import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from './http-error.ts';

/**
 * The bytes of a request as they come, without a limit on how long all of them take.
 * @param idleMs how long nothing may come, in milliseconds
 * @throws HttpError 400 `malformed` when the body ends early or nothing comes for too long
 */
export async function* readBody(
  req: IncomingMessage,
  res: ServerResponse,
  idleMs: number,
): AsyncGenerator<Buffer> {
  if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue();
  const late = new HttpError(400, 'malformed', 'The upload stalled for too long');
  let waiting = true;
  const deadline = setTimeout(() => {
    // While what came is being stored it is not the client who stands still.
    if (waiting) req.destroy(late);
    else deadline.refresh();
  }, idleMs);
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      waiting = false;
      yield chunk;
      waiting = true;
      deadline.refresh();
    }
    if (!req.complete) throw new Error('the body ended early');
  } catch (error) {
    throw error === late ? late : new HttpError(400, 'malformed', 'The upload was interrupted');
  } finally {
    clearTimeout(deadline);
  }
}

/** How long the rest of a refused body is read, in milliseconds. */
const passOverMs = 5000;

/**
 * Reads the rest of a body, for a while: most clients send all of it before they look for an answer, and closing on bytes
 * that are not read would take the answer away from the others.
 */
export async function passOver(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = setTimeout(resolve, passOverMs);
  req.once('end', resolve);
  req.once('close', resolve);
  req.resume();
  await promise;
  req.pause();
  clearTimeout(deadline);
}
