import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { HttpError } from './http-error.ts';
import { findJsonFault, type JsonLimits } from './json-scan.ts';
import { parseExactJson, parseJson } from './parse-json.ts';
import { Slices } from './slices.ts';
import { StoreUnavailable } from './store-error.ts';

export { HttpError } from './http-error.ts';

/**
 * An Express application as every server of the project uses it: no etag, no `X-Powered-By`, flat query
 * strings (a repeated name is an array of strings), paths matched exactly.
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

/** Bounds of `jsonBody`. */
export interface JsonBodyOptions {
  /** Largest body in bytes; 1 MiB unless given. */
  readonly limitBytes?: number;
  /**
   * Whether a request comes from somebody who is known: the body of one that does not has at most `anonymousBodyBytes`. All
   * are unless given.
   */
  readonly isKnown?: (req: Request) => boolean;
  /** How long a body may take to arrive, in milliseconds; 30 s unless given. */
  readonly deadlineMs?: number;
  /** Deepest nesting; 64 unless given. */
  readonly maxDepth?: number;
  /** Most members and elements; 25,000 unless given: operations accept two lists of 10,000, with what is beside them. */
  readonly maxKeys?: number;
  /** Top-level members whose inside is a person's data: repeated keys and `__proto__` are let through there. */
  readonly freeMembers?: readonly string[];
  /** Whether numbers that JavaScript would write in another way are read as raw values (`parseExactJson`). */
  readonly exactNumbers?: boolean;
  /** Reads the body as JSON whatever its content type says, as some clients of the field need. */
  readonly anyContentType?: boolean;
  /**
   * Waited for before a body of more than 16 KiB is parsed: of many that come at once, others would wait for all. One is parsed
   * in each turn of the event loop unless given.
   */
  readonly beforeParsing?: () => Promise<void>;
}

/** Bytes of a body that take no time to parse. */
const smallBody = 16 * 1024;

/** Largest body of somebody who is not known, in bytes: enough to sign in with. */
export const anonymousBodyBytes = 64 * 1024;

/** How long a body may take to arrive, in milliseconds. */
export const bodyDeadlineMs = 30_000;

/**
 * How large the body of a request may be, in bytes. Who sends it is only looked up where the body may be larger than that of
 * somebody who is not known.
 */
export function bodyLimitFor(req: IncomingMessage, limitBytes: number, isKnown: () => boolean): number {
  if (limitBytes <= anonymousBodyBytes) return limitBytes;
  const length = req.headers['content-length'];
  const isSmall = length !== undefined && Number(length) <= anonymousBodyBytes;
  return isSmall || !isKnown() ? anonymousBodyBytes : limitBytes;
}

const bodyTexts = new WeakMap<IncomingMessage, string>();

/** The JSON text of a body that `jsonBody` has read, byte for byte as it was sent; undefined when there was none. */
export function bodyText(req: IncomingMessage): string | undefined {
  return bodyTexts.get(req);
}

/**
 * Reads a JSON body into `req.body` (undefined when the request has none). Methods without a body pass.
 *
 * Errors: 408 `too_slow`, 413 `payload_too_large`, 415 `unsupported_media_type`, 400 `aborted`, `malformed_json`,
 * `invalid_utf8`, `duplicate_key`, `forbidden_key`, `too_deep`, `too_many_keys`.
 */
export function jsonBody(options: JsonBodyOptions = {}): RequestHandler {
  const {
    limitBytes = 1024 * 1024,
    maxDepth = 64,
    maxKeys = 25_000,
    freeMembers = [],
    exactNumbers = false,
    anyContentType = false,
    isKnown,
    deadlineMs = bodyDeadlineMs,
    beforeParsing,
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
      const limit = bodyLimitFor(req, limitBytes, () => isKnown?.(req) ?? true);
      const bytes = await readBytes(req, limit, deadlineMs);
      if (bytes.length > smallBody) await (beforeParsing?.() ?? new Slices(() => res.destroyed).giveWay());
      if (bytes.length > 0) {
        const text = decode(bytes);
        req.body = parseWithin(text, limits);
        bodyTexts.set(req, text);
      }
    }
    next();
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

/** Over TLS a connection keeps the memory of its largest write until it closes: after more bytes than this it does. */
const mostKept = 64 * 1024;

/**
 * Answers with a JSON body in one write.
 * @param body a value to serialize, or JSON text, compressed or not, that is sent as it is
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

/** Answers 204 with no body. */
export function sendEmpty(res: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  res.writeHead(204, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers });
  res.end();
}

/** Hooks of `errorHandler`. */
export interface ErrorHandlerOptions {
  /** The body of the answer in the server's own wire form. */
  readonly toBody: (error: HttpError, req: Request) => unknown;
  /** Content type of the answer; `application/json; charset=utf-8` unless given. */
  readonly contentType?: string;
  /** Told of every error that is not an `HttpError`: the only trace of it beside a bare 500. */
  readonly onUnexpected: (error: unknown, req: Request, res: Response) => void;
}

/**
 * The last handler of an application: turns whatever was thrown into an answer. Errors that are not
 * `HttpError`s become 500 `internal` (507 or 503 with `Retry-After` for a store that cannot write).
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
    // The rest of an unread body must not be taken for the next request.
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

/** Any thrown value as the `HttpError` that may be told to the caller. */
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
  // Express marks what is wrong with a request line (such as a stray percent sign) with a status of its own.
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

function readBytes(req: IncomingMessage, limitBytes: number, deadlineMs: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const tooLarge = (): HttpError =>
    new HttpError(413, 'payload_too_large', `The body is larger than ${limitBytes} bytes.`, {
      details: { limitBytes },
    });
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
    reject(tooLarge());
    return promise;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limitBytes) {
      stop();
      req.pause();
      reject(tooLarge());
      return;
    }
    chunks.push(chunk);
  };
  const onEnd = (): void => {
    stop();
    resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
  };
  const onBroken = (): void => {
    stop();
    reject(new HttpError(400, 'aborted', 'The body ended early.'));
  };
  const deadline = setTimeout(() => {
    stop();
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
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('error', onBroken);
  req.on('close', onBroken);
  return promise;
}
