import type { IncomingMessage } from 'node:http';
import { heldBody } from '@gatehouse/service-kit/held-bodies';
import { bodyDeadlineMs } from '@gatehouse/service-kit/http';
import { Refusal, badRequest } from '../core/refusal.ts';

/** The body limit for requests with a valid token, in bytes. */
export const bodyLimit = 32 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as text.
 * @param limit in bytes
 * @param owner the account, or the address of a stranger
 * @throws Refusal 413 above the limit, 408 on timeout, 415 for a content encoding, 400 if it is not UTF-8 or ends early
 */
export async function readBody(req: IncomingMessage, limit: number, owner: string): Promise<string> {
  const held = heldBody(owner, req);
  req.on('data', (chunk: Buffer) => held.took(chunk.length));
  const { promise, reject } = Promise.withResolvers<string>();
  const deadline = setTimeout(() => {
    req.pause();
    reject(new Refusal(408, ["the body didn't arrive in time"]));
  }, bodyDeadlineMs);
  try {
    return await Promise.race([promise, bytesOf(req, limit)]);
  } finally {
    clearTimeout(deadline);
    held.end();
  }
}

function bytesOf(req: IncomingMessage, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { 'content-length': length, 'content-encoding': encoding } = req.headers;
  if (encoding !== undefined && encoding !== 'identity') {
    reject(new Refusal(415, ['content encodings are not supported']));
    return promise;
  }
  if (length !== undefined && Number(length) > limit) {
    reject(tooLarge());
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) {
      req.pause();
      reject(tooLarge());
    } else chunks.push(chunk);
  });
  req.once('end', () => {
    const [only] = chunks;
    const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
    try {
      resolve(utf8.decode(bytes));
    } catch {
      reject(badRequest('failed to decode JSON input: not UTF-8'));
    }
  });
  req.once('close', () => {
    if (!req.complete) reject(badRequest('the body ended early'));
  });
  req.once('error', () => reject(badRequest('the body ended early')));
  return promise;
}

function tooLarge(): Refusal {
  return new Refusal(413, ['http: request body too large']);
}
