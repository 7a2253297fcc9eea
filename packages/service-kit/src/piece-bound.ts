import type { IncomingMessage } from 'node:http';
import { DecoratorHandler, errors, type Dispatcher } from 'undici';
import { rateLimiter } from './rate-limit.ts';
import { cutOff } from './socket-parser.ts';
import { restartRecords } from './tls-records.ts';

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

/** Pieces below this size count for the limit of all bodies, in bytes. */
const smallBytes = 1024;
/** Small pieces that are accepted in every body, whatever other clients send, and bytes for each further one. */
const [alwaysSmall, bytesPerSmall] = [4, 4096];
/** Limit for further small pieces in all bodies that this process receives. Each takes about 4 µs. */
const ofAll = rateLimiter({ burst: 5_000, perSecond: 50_000 });

/** Cuts the connection of a request whose body has too many small pieces, alone or together with other bodies. */
export function boundRequest(req: IncomingMessage): void {
  restartRecords(req.socket);
  const mayOneCome = pieceBound();
  let small = 0;
  let size = 0;
  const mayCome = (bytes: number): boolean => {
    size += bytes;
    if (bytes < smallBytes) small += 1;
    const isFree = bytes >= smallBytes || small <= alwaysSmall + size / bytesPerSmall;
    return mayOneCome(bytes) && (isFree || ofAll.take('').allowed);
  };
  const push = req.push.bind(req);
  // Counted as the parser delivers them, because a `data` listener would start the body flowing too early.
  req.push = (piece: Buffer | null, encoding) => {
    if (piece === null || (!req.socket.destroyed && mayCome(piece.length))) return push(piece, encoding);
    cutOff(req.socket);
    return false;
  };
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
