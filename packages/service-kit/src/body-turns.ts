import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.ts';
import { passOver } from './http-large-body.ts';
import { NoTurn, turns } from './turns.ts';
import type { InTurn, TurnsOptions } from './turns.ts';

/**
 * Runs `work`, which reads a large body, in its owner's next turn. The body is not received until then.
 * @throws HttpError 429 while too many of the owner's bodies wait; 503 while too many wait in total, or after waiting
 *   too long
 */
export type BodyInTurn = <Result>(
  req: IncomingMessage,
  owner: string,
  work: () => Promise<Result>,
) => Promise<Result>;

/** Most waiting large bodies of one owner. */
const mostOwn = 24;
/** Longest wait of a large body, in milliseconds. */
const waitMs = 30_000;
/** Bounds of the large bodies that wait at a port. */
export const requestBounds = { mostOwn, mostWaiting: 4 * mostOwn, waitMs };

/**
 * Turns for objects that are stored as they arrive: `atOnce` in total, and a quarter of them per owner. An object may
 * take hours, so each owner gets one even if others have taken all turns.
 * @param kind what an object is called in answers, such as "image"
 */
export function objectTurns(atOnce: number, kind: string): BodyInTurn {
  return bodyTurns(
    turns({ atOnce, ownAtOnce: Math.ceil(atOnce / 4), firsts: atOnce, ...requestBounds }),
    kind,
  );
}

/** Bodies larger than this are large, in bytes. */
export const largeBodyBytes = 1024 * 1024;

/** Whether a body is large, or may be because its length is not announced. */
export function isLargeBody({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBodyBytes
  );
}

/**
 * Turns for large bodies: two per owner and eight in total are read at once, so that many of them neither fill the
 * memory nor block other requests.
 * @param bounds of the waiting bodies; the limits for a server's requests unless given
 */
export function largeTurns(bounds: Omit<TurnsOptions, 'atOnce' | 'ownAtOnce'> = requestBounds): InTurn {
  return turns({ atOnce: 8, ownAtOnce: 2, ...bounds });
}

/**
 * Turns for the large bodies of a server's requests.
 * @param kind what a body is called in answers
 */
export function bodyTurns(inTurn = largeTurns(), kind = 'large request'): BodyInTurn {
  const words = {
    own: `${mostOwn} of your ${kind}s are already waiting. Send this one when they are done.`,
    all: `Too many ${kind}s are waiting. Send this one again in a minute.`,
    late: `This ${kind} waited ${waitMs / 1000} seconds for its turn. Send it again in a minute.`,
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
      // Browsers only look for an answer after sending the whole body.
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
