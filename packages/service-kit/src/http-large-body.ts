import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clientAddress, networkOf } from './client-address.ts';
import { HttpError } from './http-error.ts';
import { paced } from './slices.ts';
import { turns } from './turns.ts';

/**
 * The bytes of a request's body as they arrive.
 * @param idleMs longest time without a byte, in milliseconds
 * @param wholeMs how long the body may take to arrive, in milliseconds; any time unless given
 * @throws HttpError 400 `malformed` when the body ends early or stalls; 408 `too_slow` when it took too long
 */
export async function* readBody(
  req: IncomingMessage,
  res: ServerResponse,
  idleMs: number,
  wholeMs: number = Infinity,
): AsyncGenerator<Buffer> {
  const end = performance.now() + wholeMs;
  if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue();
  const late = new HttpError(400, 'malformed', 'The upload stalled for too long');
  let waiting = true;
  const deadline = setTimeout(() => {
    // While a chunk is being stored, the delay is not the client's.
    if (waiting) req.destroy(late);
    else deadline.refresh();
  }, idleMs);
  try {
    for await (const chunk of paced(req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)) {
      waiting = false;
      if (performance.now() >= end)
        throw new HttpError(408, 'too_slow', `The body did not arrive within ${wholeMs / 60_000} minutes`);
      yield chunk;
      waiting = true;
      deadline.refresh();
    }
    if (!req.complete) throw new Error('the body ended early');
  } catch (error) {
    throw error instanceof HttpError ? error : new HttpError(400, 'malformed', 'The upload was interrupted');
  } finally {
    clearTimeout(deadline);
  }
}

/** How often a right is judged again while a body arrives, in milliseconds. */
const judgedEveryMs = 1_000;

/**
 * A body whose sender must keep a right while it arrives, which may take hours.
 * @param judge throws to end the body
 */
export async function* judgedEachSecond<Chunk>(
  judge: () => unknown,
  body: AsyncIterable<Chunk>,
): AsyncGenerator<Chunk> {
  let next = performance.now() + judgedEveryMs;
  for await (const chunk of body) {
    if (performance.now() >= next) {
      judge();
      next = performance.now() + judgedEveryMs;
    }
    yield chunk;
  }
}

/** How long the rest of a refused body is read, in milliseconds. */
const passOverMs = 5000;

/**
 * All refused bodies together are read at one piece per turn of the event loop, because reading them at full speed would
 * delay accepted requests. Networks take turns.
 */
const pieceInTurn = turns({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

/**
 * Reads and discards the rest of a body for up to `passOverMs`. Most clients send the whole body before they read the
 * answer, and closing with unread bytes would reset the connection before they do.
 */
export async function passOver(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = setTimeout(resolve, passOverMs);
  req.once('end', resolve);
  req.once('close', resolve);
  const network = networkOf(clientAddress(req) ?? '');
  const discard = (): void => {
    void pieceInTurn(network, async () => {
      req.read();
      await nextTurn();
    });
  };
  req.on('readable', discard);
  await promise;
  req.off('readable', discard);
  clearTimeout(deadline);
}
