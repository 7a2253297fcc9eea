import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { passOver } from './http-large-body.ts';
import { NoTurn, turns } from './turns.ts';
import type { InTurn, TurnsOptions } from './turns.ts';

/**
 * Does what begins with reading a large body, in its owner's next turn. Until then the body is not received.
 * @throws HttpError 429 while too many of the owner's wait, 503 while too many of others do or after waiting for too long
 */
export type BodyInTurn = <Result>(
  req: IncomingMessage,
  owner: string,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Large bodies of one owner that may wait. */
const mostOwn = 24;
/** How long one may wait, in milliseconds. */
const waitMs = 30_000;

/** Bytes from which on a body is large. */
export const largeBodyBytes = 1024 * 1024;

/** Whether a body may be large. */
export function isLargeBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBodyBytes
  );
}

/**
 * Has large bodies read a few at a time, two of an owner and eight of all: however many come at once, they don't fill the
 * memory, and others are answered between them.
 * @param bounds of those that wait; those of a server's requests unless given
 */
export function largeTurns(
  bounds: Omit<TurnsOptions, 'atOnce' | 'ownAtOnce'> = { mostOwn, mostWaiting: 4 * mostOwn, waitMs },
): InTurn {
  return turns({ atOnce: 8, ownAtOnce: 2, ...bounds });
}

/** `largeTurns` of a server's requests. */
export function bodyTurns(): BodyInTurn {
  const inTurn = largeTurns();
  const words = {
    own: `${mostOwn} of your large requests are already waiting. Send this one when they are done.`,
    all: 'Too many large requests are waiting. Send this one again in a minute.',
    late: `This large request waited ${waitMs / 1000} seconds for its turn. Send it again in a minute.`,
  };
  return async (req, owner, work) => {
    const gone = new AbortController();
    const leave = (): void => gone.abort(new HttpError(400, 'aborted', 'The body ended early.'));
    if (req.destroyed) leave();
    else req.once('close', leave);
    try {
      return await inTurn(owner, work, gone.signal);
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      // Browsers look for an answer only when all is sent.
      await passOver(req);
      const { reason } = error;
      throw new HttpError(reason === 'own' ? 429 : 503, 'busy', words[reason], {
        headers: { 'Retry-After': '30' },
        cause: error,
      });
    } finally {
      req.off('close', leave);
    }
  };
}
