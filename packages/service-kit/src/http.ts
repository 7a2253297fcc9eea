import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { heldBody } from './held-bodies.ts';
import { HttpError } from './http-error.ts';
import { findJsonFault, type JsonLimits } from './json-scan.ts';
import { parseExactJson, parseJson } from './parse-json.ts';
import { Slices, isTurnOver, type Asker } from './slices.ts';
import { StoreUnavailable } from './store-error.ts';
import { writeFor } from './write-queue.ts';

export { HttpError } from './http-error.ts';

/**
 * Creates an Express application with the project's settings: no ETag, no `X-Powered-By`, flat query strings (a
 * repeated name is an array of strings), exact paths.
 */
export function createApp(): Express {
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.disable('x-powered-by');
  return app;
}

/** Limits of `jsonBody`. */
export interface JsonBodyOptions {
  /** Largest body in bytes; 1 MiB unless given. */
  readonly limitBytes?: number;
  /** Who sent a request. Bodies of strangers are limited to `anonymousBodyBytes`. */
  readonly askerOf: (req: Request) => Asker;
  /** How long a body may take to arrive, in milliseconds; 30 s unless given. */
  readonly deadlineMs?: number;
  /** Deepest nesting; 64 unless given. */
  readonly maxDepth?: number;
  /** Most members and elements; 25,000 unless given, because operations accept two lists of 10,000 and other fields. */
  readonly maxKeys?: number;
  /** Top-level members that contain user data: repeated keys and `__proto__` are accepted inside them. */
  readonly freeMembers?: readonly string[];
  /** Whether numbers that JavaScript would write differently are read as raw values (`parseExactJson`). */
  readonly exactNumbers?: boolean;
  /** Reads the body as JSON whatever its content type, as some existing clients require. */
  readonly anyContentType?: boolean;
}

/** Bodies up to this size are parsed without waiting, in bytes, unless the turn of the event loop is over. */
const smallBody = 8 * 1024;

/** Largest body of an unknown sender, in bytes; enough to sign in. */
export const anonymousBodyBytes = 16 * 1024;

/** How long a body may take to arrive, in milliseconds. */
export const bodyDeadlineMs = 30_000;

/**
 * The largest accepted body of a request, in bytes. Looks up the sender only if the body may exceed an unknown sender's
 * limit.
 */
export function bodyLimitFor(req: IncomingMessage, limitBytes: number, isKnown: () => boolean): number {
  if (limitBytes <= anonymousBodyBytes) return limitBytes;
  const length = req.headers['content-length'];
  const isSmall = length !== undefined && Number(length) <= anonymousBodyBytes;
  return isSmall || !isKnown() ? anonymousBodyBytes : limitBytes;
}

/**
 * Reads a JSON body into `req.body` (undefined without a body). Bodies that would block others wait for their sender's
 * turn.
 *
 * Errors: 408 `too_slow`, 413 `payload_too_large`, 415 `unsupported_media_type`, 400 `aborted`, `malformed_json`,
 * `invalid_utf8`, `duplicate_key`, `forbidden_key`, `too_deep`, `too_many_keys`.
 */
export function jsonBody(options: JsonBodyOptions): RequestHandler {
  const {
    limitBytes = 1024 * 1024,
    maxDepth = 64,
    maxKeys = 25_000,
    freeMembers = [],
    exactNumbers = false,
    anyContentType = false,
    askerOf,
    deadlineMs = bodyDeadlineMs,
  } = options;
  const limits = { maxDepth, maxKeys, freeMembers, exactNumbers };
  return async (req, res, next) => {
    if (hasBody(req)) {
      if (!anyContentType && !isJson(req.headers['content-type'])) {
        throw new HttpError(415, 'unsupported_media_type', 'The body must be sent as application/json.');
      }
      const encoding = req.headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity') {
        throw new HttpError(
          415,
          'unsupported_media_type',
          'The body must be sent without a content encoding.',
        );
      }
      const limit = bodyLimitFor(req, limitBytes, () => askerOf(req).isKnown);
      using held = await readBytes(req, limit, deadlineMs, askerOf(req).name);
      const { bytes } = held;
      // Bodies of earlier requests may end together.
      if (bytes.length > smallBody || isTurnOver())
        await new Slices(() => res.destroyed, askerOf(req)).giveWay();
      if (bytes.length > 0) req.body = parseWithin(decode(bytes), limits);
    }
    next();
  };
}

/**
 * Lets a request wait for its sender's turn once the turn of the event loop is over, and its writes for their sender's
 * turns. Comes before all other work.
 */
export function takeTurns(askerOf: JsonBodyOptions['askerOf']): RequestHandler {
  return async (req, res, next) => {
    if (isTurnOver()) await new Slices(() => res.destroyed, askerOf(req)).giveWay();
    writeFor(() => askerOf(req), next);
  };
}

/**
 * Parses JSON text under the same rules as `jsonBody`.
 * @throws HttpError 400 `malformed_json`, `duplicate_key`, `forbidden_key`, `too_deep`, `too_many_keys`
 */
function parseWithin(text: string, limits: JsonLimits & { readonly exactNumbers: boolean }): unknown {
  const fault = findJsonFault(text, limits);
  if (fault !== undefined) {
    switch (fault.kind) {
      case 'too_deep':
        throw new HttpError(400, fault.kind, `The body is nested deeper than ${limits.maxDepth} levels.`);
      case 'too_many_keys':
        throw new HttpError(400, fault.kind, `The body has more than ${limits.maxKeys} members.`);
      case 'duplicate_key':
      case 'forbidden_key':
        throw new HttpError(
          400,
          fault.kind,
          fault.kind === 'duplicate_key'
            ? 'The body contains a member twice.'
            : 'The body has a member with a forbidden name.',
          { details: { key: fault.key } },
        );
    }
  }
  try {
    return limits.exactNumbers ? parseExactJson(text) : parseJson(text);
  } catch {
    throw new HttpError(400, 'malformed_json', 'The body is not valid JSON.');
  }
}

/** A TLS connection keeps the memory of its largest write until it closes, so it is closed after a larger write. */
const mostKept = 64 * 1024;

/**
 * Answers with a JSON body in one write.
 * @param body a value to serialize, or JSON text (compressed or not) that is sent unchanged
 */
export function sendJson(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const length = Buffer.byteLength(text);
  if (length > mostKept && res.socket !== null && 'encrypted' in res.socket) res.shouldKeepAlive = false;
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(text);
}

export function sendEmpty(res: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  res.writeHead(204, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers });
  res.end();
}

/** Hooks of `errorHandler`. */
export interface ErrorHandlerOptions {
  /** The response body in the server's own wire format. */
  readonly toBody: (error: HttpError, req: Request) => unknown;
  /** Content type of the response; `application/json; charset=utf-8` unless given. */
  readonly contentType?: string;
  /** Called for every error that is not an `HttpError`: the response is a bare 500, so this is its only trace. */
  readonly onUnexpected: (error: unknown, req: Request, res: Response) => void;
}

/**
 * The last handler of an application, which turns anything thrown into a response. Errors other than `HttpError` become
 * 500 `internal`, or 507 or 503 with `Retry-After` for a store that can't be written.
 */
export function errorHandler(options: ErrorHandlerOptions): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const known = toHttpError(error);
    if (known.status >= 500 && !(error instanceof HttpError)) options.onUnexpected(error, req, res);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    if (req.destroyed && !req.complete) return;
    const headers: Record<string, string> = { ...known.headers };
    if (options.contentType !== undefined) headers['Content-Type'] = options.contentType;
    // The rest of an unread body must not be parsed as the next request.
    if (!req.complete) headers['Connection'] = 'close';
    sendJson(res, known.status, options.toBody(known, req), headers);
  };
}

const storeWords = {
  full: 'There is no space left to store the change.',
  busy: 'The store is not available at the moment.',
  incomplete: "The store didn't keep the whole upload. Upload it again.",
  failed: 'The store is not available at the moment.',
} as const;

/** Converts any thrown value to an `HttpError` that may be sent to the caller. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StoreUnavailable) {
    return new HttpError(
      error.reason === 'full' ? 507 : 503,
      error.reason === 'full' ? 'insufficient_storage' : 'store_unavailable',
      storeWords[error.reason],
      { headers: error.reason === 'busy' ? { 'Retry-After': '1' } : { 'Retry-After': '30' }, cause: error },
    );
  }
  // Express throws this for a malformed request line, such as one with a stray percent sign.
  if (error instanceof URIError) return new HttpError(400, 'malformed_path', 'The path is not well-formed.');
  return new HttpError(500, 'internal', 'An unexpected error occurred.', { cause: error });
}

function hasBody(req: IncomingMessage): boolean {
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType.trim());
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpError(400, 'invalid_utf8', 'The body is not valid UTF-8.');
  }
}

/** A body that counts as its owner's until it is disposed of. */
interface ReadBody extends Disposable {
  readonly bytes: Buffer;
}

/**
 * Reads a body.
 * @param owner the account, or the address of a stranger
 * @throws HttpError 413 above the limit, 408 after the deadline, 400 if the body ends early
 */
export function readBytes(
  req: IncomingMessage,
  limitBytes: number,
  deadlineMs: number,
  owner: string,
): Promise<ReadBody> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadBody>();
  const tooLarge = (): HttpError =>
    new HttpError(413, 'payload_too_large', `The body is larger than ${limitBytes} bytes.`, {
      details: { limitBytes },
    });
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
    reject(tooLarge());
    return promise;
  }
  const chunks: Buffer[] = [];
  const held = heldBody(owner, req);
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    held.took(chunk.length);
    if (size > limitBytes) {
      giveUp();
      req.pause();
      reject(tooLarge());
      return;
    }
    chunks.push(chunk);
  };
  const onEnd = (): void => {
    stop();
    held.end();
    const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
    resolve({ bytes, [Symbol.dispose]: () => held.release() });
  };
  const onBroken = (): void => {
    giveUp();
    reject(new HttpError(400, 'aborted', 'The body ended early.'));
  };
  const deadline = setTimeout(() => {
    giveUp();
    req.pause();
    reject(
      new HttpError(
        408,
        'too_slow',
        `The body did not arrive within ${Math.round(deadlineMs / 1000)} seconds.`,
      ),
    );
  }, deadlineMs);
  const stop = (): void => {
    clearTimeout(deadline);
    req.off('data', onData);
    req.off('end', onEnd);
    req.off('error', onBroken);
    req.off('close', onBroken);
  };
  const giveUp = (): void => {
    stop();
    held.release();
  };
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('error', onBroken);
  req.on('close', onBroken);
  return promise;
}
