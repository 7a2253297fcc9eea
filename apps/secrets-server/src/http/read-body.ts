import type { IncomingMessage } from 'node:http';
import { bodyDeadlineMs, readBytes } from '@gatehouse/service-kit/http';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Refusal, badRequest } from '../core/refusal.ts';

/** The body limit for requests with a valid token, in bytes. */
export const bodyLimit = 32 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as text.
 * @param limit in bytes
 * @param owner whom it is read for
 * @throws Refusal 413 above the limit, 408 on timeout, 415 for a content encoding, 400 if it is not UTF-8 or ends early
 */
export async function readBody(req: IncomingMessage, limit: number, owner: string): Promise<string> {
  const { 'content-encoding': encoding } = req.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal(415, ['content encodings are not supported']);
  const bytes = await readBytes(req, limit, bodyDeadlineMs, owner).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 413) throw new Refusal(413, ['http: request body too large']);
    if (error.status === 408) throw new Refusal(408, ["the body didn't arrive in time"]);
    throw badRequest('the body ended early');
  });
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('failed to decode JSON input: not UTF-8');
  }
}
