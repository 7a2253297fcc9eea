import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { DecoratorHandler, errors, type Dispatcher } from 'undici';
import { rateLimiter } from './rate-limit.ts';
import { cutOff, hearReads } from './socket-parser.ts';

/** Pieces of any size that a body may have. */
const mostSmall = 1_000;
/** Required mean size of further pieces, in bytes. */
const meanBytes = 256;

/**
 * Limits the pieces of a body. A chunk may be a single byte but costs hundreds of bytes of memory and microseconds of
 * time, so a limit in bytes is not enough.
 * @returns whether another piece of the given size is accepted
 */
export function pieceBound(): (bytes: number) => boolean {
  let pieces = 0;
  let size = 0;
  return (bytes) => {
    pieces += 1;
    size += bytes;
    return pieces <= mostSmall + size / meanBytes;
  };
}

/** Small pieces that are accepted in every body, whatever other clients send. */
const alwaysSmall = 32;
/** Limit for further small pieces in all bodies that this process receives. Each takes about 4 µs. */
const ofAll = rateLimiter({ burst: 50_000, perSecond: 50_000 });

/** Cuts the connection of a request whose body has too many small pieces, alone or together with other bodies. */
export function boundRequest(req: IncomingMessage): void {
  reads.delete(req.socket);
  const mayOneCome = pieceBound();
  let small = 0;
  const mayCome = (bytes: number): boolean => {
    if (bytes < meanBytes) small += 1;
    return mayOneCome(bytes) && (bytes >= meanBytes || small <= alwaysSmall || ofAll.take('').allowed);
  };
  const push = req.push.bind(req);
  // Counted as the parser delivers them, because a `data` listener would start the body flowing too early.
  req.push = (piece: Buffer | null, encoding) => {
    if (piece === null || (!req.socket.destroyed && mayCome(piece.length))) return push(piece, encoding);
    cutOff(req.socket);
    return false;
  };
}

/**
 * Reads of any size in which a head or a body may arrive, and the required mean size of further ones, in bytes. A piece
 * of a body may have its size and its end in reads of their own.
 */
const readLimits = {
  head: { most: 64, mean: meanBytes },
  body: { most: 3 * mostSmall, mean: meanBytes / 3 },
} as const;
/** Limit for further small reads of all TLS connections of this process. Each takes about 1 µs. */
const readsOfAll = rateLimiter({ burst: 50_000, perSecond: 50_000 });

/** What has been read of a request and of the head of the next. */
interface Reads {
  readonly head: { count: number; bytes: number };
  readonly body: { count: number; bytes: number };
  small: number;
}
const reads = new WeakMap<Socket, Reads>();

/**
 * Cuts a new TLS connection once a request arrives in too many records, each of which is a read. Without TLS, one read
 * takes all that has arrived.
 */
export function boundReads(socket: Socket): void {
  hearReads(socket, (bytes, part) => {
    const read = reads.get(socket) ?? {
      head: { count: 0, bytes: 0 },
      body: { count: 0, bytes: 0 },
      small: 0,
    };
    reads.set(socket, read);
    const isSmall = bytes < meanBytes;
    if (isSmall) read.small += 1;
    const count = (read[part].count += 1);
    const size = (read[part].bytes += bytes);
    const { most, mean } = readLimits[part];
    const mayCome = count <= most + size / mean;
    if (!mayCome || (isSmall && read.small > alwaysSmall && !readsOfAll.take('').allowed)) cutOff(socket);
  });
}

/** Most 1xx responses before the answer. Servers send a few; an endless sequence would slow other requests. */
const mostInterim = 100;

/**
 * Aborts other servers' answers with too many small pieces or too many interim responses; for a client's `compose`.
 * @throws errors.ResponseExceededMaxSizeError from the request or from its body
 */
export function boundAnswers(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) => dispatch(options, new BoundAnswer(handler));
}

class BoundAnswer extends DecoratorHandler {
  readonly #mayCome = pieceBound();
  #interim = 0;
  readonly #handler: Dispatcher.DispatchHandler;

  constructor(handler: Dispatcher.DispatchHandler) {
    super(handler);
    this.#handler = handler;
  }

  onResponseStart(
    ...[controller, status, headers, text]: Parameters<
      Required<Dispatcher.DispatchHandler>['onResponseStart']
    >
  ): void {
    if (status < 200) this.#interim += 1;
    if (this.#interim <= mostInterim) this.#handler.onResponseStart?.(controller, status, headers, text);
    else controller.abort(new errors.ResponseExceededMaxSizeError('too many interim responses'));
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#mayCome(piece.length)) this.#handler.onResponseData?.(controller, piece);
    else controller.abort(new errors.ResponseExceededMaxSizeError('too many small pieces'));
  }
}
