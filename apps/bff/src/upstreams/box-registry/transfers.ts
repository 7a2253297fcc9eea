import { AsyncResource } from 'node:async_hooks';
/** Transfers of images to and from a registry, as streams of any length, unlike the API's answers. */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { boundAnswers } from '@gatehouse/service-kit/piece-bound';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { NoTurn, turns } from '@gatehouse/service-kit/turns';
import { Pool, type Dispatcher } from 'undici';
import type { ServiceConfig } from '#config/config.ts';
import type { Fail } from '../read-answer.ts';
import { refuseUnlessHeld, ServiceError } from '../service-error.ts';
import { networkError } from '../transport.ts';

/** The destination or source of a transfer. */
export interface TransferPlace {
  readonly pool: Dispatcher;
  readonly path: string;
  /** Whether this is the registry itself. Only the registry is sent the user's token. */
  readonly own: boolean;
}

/** The connections that carry one registry's images. */
export type Transfers = ReturnType<typeof createTransfers>;

export interface PutOptions {
  /** The body's length in bytes. A body of another length fails. */
  readonly length: number;
  /** Each chunk is requested after the connection has sent the previous one, whose buffer may then be reused. */
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface GetOptions {
  /** The account that downloads. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Download extends Answered {
  readonly body: Readable;
}

/** How long a registry may take to answer after the last byte, in milliseconds: it may copy what it received. */
const answerMs = 15 * 60_000;
/** How long a download may stall, and how long the rest of the answer to an upload may take, in milliseconds. */
const idleMs = 60_000;
/** Concurrent images in one direction, in total and for one account: each may take hours. */
const atOnce = 128;
const ownAtOnce = 4;
/** How many downloads of an account may wait for a turn, and for how long, in milliseconds. */
const mostOwn = 12;
const waitMs = 30_000;

export function createTransfers(
  environment: string,
  config: Pick<ServiceConfig, 'endpoint' | 'ca' | 'clientUrl' | 'uploadOrigins'>,
) {
  const { endpoint, clientUrl, uploadOrigins = [] } = config;
  const pools = new Map<string, Dispatcher>();
  const poolOf = (origin: string, own: boolean): Dispatcher => {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connections: 2 * atOnce,
      pipelining: 1,
      headersTimeout: answerMs,
      bodyTimeout: idleMs,
      connect: {
        timeout: 10_000,
        ...(own && endpoint.kind === 'socket' && { socketPath: endpoint.path }),
        ...(config.ca !== undefined && { ca: config.ca }),
      },
    }).compose(boundAnswers);
    pools.set(origin, pool);
    return pool;
  };
  const ownBase = endpoint.kind === 'url' ? endpoint.url : new URL('http://localhost');
  const failed = (): ServiceError =>
    new ServiceError(
      'bad-answer',
      "The configuration doesn't allow the image address that the box registry returned. If it is right, add its origin to upload_origins.",
      { environment, service: 'boxes' },
      { delivery: 'answered', status: 200 },
    );

  /** Checks before each chunk, in the work that sends it, whether this process still has its lease. */
  const checkingEach = async function* (body: AsyncIterable<Uint8Array>, requireHeld: () => void) {
    for await (const chunk of body) {
      requireHeld();
      yield chunk;
    }
  };

  const tooMany = (): ServiceError =>
    new ServiceError(
      'rate-limited',
      `You are downloading ${ownAtOnce} images from this box registry. Wait until one of them is done.`,
      { environment, service: 'boxes' },
      { delivery: 'not-sent' },
    );
  const broken: Fail = (code, detail, delivery, extra) =>
    new ServiceError(code, detail, { environment, service: 'boxes', cause: extra?.cause }, { delivery });
  const receiving = turns({ atOnce, ownAtOnce, mostOwn, mostWaiting: 1_000, waitMs });

  return {
    /** The URL of a path at the registry itself. */
    own: (path: string): URL => new URL(ownBase.origin + trimEndSlashes(ownBase.pathname) + path),
    /**
     * The destination of a URL from the registry: the registry itself or an origin that the configuration allows.
     * @throws ServiceError `bad-answer` for any other origin
     */
    placeOf(text: string): TransferPlace {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || url.username !== '' || url.password !== '') throw failed();
      for (const base of [clientUrl, ownBase]) {
        if (base === undefined || base.origin !== url.origin) continue;
        const prefix = trimEndSlashes(base.pathname);
        if (!`${url.pathname}/`.startsWith(`${prefix}/`)) continue;
        const path = trimEndSlashes(ownBase.pathname) + url.pathname.slice(prefix.length) + url.search;
        return { pool: poolOf(ownBase.origin, true), path, own: true };
      }
      if (!uploadOrigins.includes(url.origin)) throw failed();
      return { pool: poolOf(url.origin, false), path: url.pathname + url.search, own: false };
    },
    /**
     * @returns the status and headers; the body is read to the end and discarded
     * @throws ServiceError `service-unavailable` if another console may already do the work; the errors of undici
     */
    async put(
      { pool, path }: TransferPlace,
      { length, body, headers, signal }: PutOptions,
    ): Promise<Answered> {
      const requireHeld = AsyncResource.bind(() => {
        refuseUnlessHeld({ environment, service: 'boxes' });
      });
      requireHeld();
      const answer = await pool.request({
        method: 'PUT',
        path,
        headers: { 'user-agent': 'gatehouse', ...headers, 'content-length': String(length) },
        // Not a stream, which would read ahead of the connection. undici accepts iterables; its types don't say so.
        body: (body && checkingEach(body, requireHeld)) as (AsyncIterable<Uint8Array> & Readable) | null,
        signal,
      });
      await answer.body.dump({ limit: 64 * 1024, signal: AbortSignal.timeout(idleMs) });
      return { status: answer.statusCode, headers: answer.headers };
    },
    /**
     * Takes a turn of the owner's until the body ends.
     * @throws ServiceError `rate-limited` if no turn comes in time; `service-unavailable`, `service-timeout` and
     *   `bad-answer` before the body; the signal's reason
     */
    get({ pool, path }: TransferPlace, { owner, headers, signal }: GetOptions): Promise<Download> {
      const { promise, resolve, reject } = Promise.withResolvers<Download>();
      receiving(
        owner,
        async () => {
          const answer = await pool.request({
            method: 'GET',
            path,
            headers: { 'user-agent': 'gatehouse', 'accept-encoding': 'identity', ...headers },
            signal,
          });
          resolve({ status: answer.statusCode, headers: answer.headers, body: answer.body });
          // The body's reader receives the error.
          await finished(answer.body).catch(() => undefined);
        },
        signal,
      ).catch((error: unknown) => {
        if (error instanceof NoTurn) reject(tooMany());
        else reject(signal.aborted ? error : networkError(error, false, broken));
      });
      return promise;
    },
    /** Takes a user's turn to send an image, so that a user who sends many doesn't hold up the others. */
    sending: turns({ atOnce, ownAtOnce, mostOwn: Infinity, mostWaiting: Infinity }),
    async close(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
