import type { Request, RequestHandler } from 'express';
import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { randomBase62 } from './ids.ts';

/**
 * All fields that a log line may have. Nothing else is logged: bodies, headers, query strings, tokens and messages of
 * foreign errors may contain a secret.
 */
export interface LogFields {
  readonly requestId?: string;
  readonly method?: string;
  /** The route's pattern (`/v1/targets/:id`), never the requested path. */
  readonly route?: string;
  readonly status?: number;
  /** Duration in milliseconds. */
  readonly ms?: number;
  readonly userId?: string;
  readonly resourceId?: string;
  readonly upstream?: string;
  readonly address?: string;
  readonly port?: number;
  readonly count?: number;
  readonly attempt?: number;
  readonly signal?: string;
  readonly code?: string;
  /** A keyed digest of the audit trail's last row. */
  readonly hash?: string;
  readonly reason?: string;
  /** Logged as class, code and stack frames, without the message. */
  readonly error?: unknown;
}

const plainFields = [
  'requestId',
  'method',
  'route',
  'status',
  'ms',
  'userId',
  'resourceId',
  'upstream',
  'address',
  'port',
  'count',
  'attempt',
  'signal',
  'code',
  'hash',
  'reason',
] as const;

/** Writes log lines: JSON, one per line. */
export type Log = ReturnType<typeof createLog>;

export interface LogOptions {
  /** The server that writes, such as `access` or `bff`. */
  readonly service: string;
  /** Lowest level that is written; `info` unless given. `silent` writes nothing. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream;
}

/** Creates a log that writes only the fields of `LogFields`. */
export function createLog(options: LogOptions) {
  const settings = {
    level: options.level ?? 'info',
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'event',
  };
  const writer = options.destination === undefined ? pino(settings) : pino(settings, options.destination);
  return {
    debug(event: string, fields?: LogFields): void {
      if (writer.isLevelEnabled('debug')) writer.debug(allowed(fields), event);
    },
    info: (event: string, fields?: LogFields): void => writer.info(allowed(fields), event),
    warn: (event: string, fields?: LogFields): void => writer.warn(allowed(fields), event),
    error: (event: string, fields?: LogFields): void => writer.error(allowed(fields), event),
  };
}

/** A log that writes nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of plainFields) {
    const value = fields[name];
    if (typeof value === 'string' || typeof value === 'number') line[name] = value;
  }
  if (fields.error !== undefined) line['error'] = describe(fields.error);
  return line;
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const description: Record<string, unknown> = { name: error.name };
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number'))
    description['code'] = error.code;
  if ('errcode' in error && typeof error.errcode === 'number') description['errcode'] = error.errcode;
  description['frames'] = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
  if (error.cause !== undefined) description['cause'] = describe(error.cause);
  return description;
}

declare global {
  namespace Express {
    interface Locals {
      requestId?: string;
      /** Overrides the route's pattern in the request's log line. */
      route?: string;
      /** Makes the request's log line one of a refusal, with these fields. */
      refused?: Pick<LogFields, 'code' | 'upstream' | 'address'>;
    }
  }
}

/**
 * Gives every request an ID (from a well-formed `X-Request-Id`, or a new one), and returns it in the same header. Read
 * it from `res.locals.requestId`.
 */
export function requestId(): RequestHandler {
  return (req, res, next) => {
    const given = req.headers['x-request-id'];
    const id = typeof given === 'string' && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomBase62(20);
    res.locals.requestId = id;
    res.setHeader('X-Request-Id', id);
    next();
  };
}

/** Writes one line for every answered or aborted request. Requires `requestId` before it. */
export function requestLog(log: Log, clock: Clock = systemClock): RequestHandler {
  return (req, res, next) => {
    const start = clock.monotonic();
    res.once('close', () => {
      const { requestId: id, route, refused } = res.locals;
      log.info(refused !== undefined ? 'refused' : res.writableFinished ? 'request' : 'request aborted', {
        requestId: id,
        method: req.method,
        route: route ?? routePattern(req),
        status: res.statusCode,
        ms: Math.round((clock.monotonic() - start) * 100) / 100,
        ...refused,
      });
    });
    next();
  };
}

function routePattern(req: Request): string {
  const route: unknown = req.route;
  if (typeof route !== 'object' || route === null || !('path' in route)) return 'unmatched';
  // A route with several paths is named by the first.
  const path: unknown = Array.isArray(route.path) ? route.path[0] : route.path;
  // A backslash only escapes the next character.
  return req.baseUrl + (typeof path === 'string' ? path.replaceAll('\\', '') : 'pattern');
}
