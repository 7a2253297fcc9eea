import type { IncomingMessage } from 'node:http';
import { DecoratorHandler, errors, type Dispatcher } from 'undici';
import { rateLimiter } from './rate-limit.ts';
import { cutOff } from './socket-parser.ts';

/** Pieces that a body may come in, however small they are. */
const mostSmall = 1_000;
/** How large pieces after those are on average, in bytes. */
const meanBytes = 256;

/**
 * Bounds the pieces that a body comes in. A chunk may be one byte long, and each costs hundreds of bytes of memory and
 * some microseconds, so that limits in bytes alone bound neither.
 * @returns whether another piece of so many bytes may come
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

/** Small pieces in which every body may come, whatever others send. */
const alwaysSmall = 32;
/** Further ones of all bodies that this process receives. Each takes some 4 µs. */
const ofAll = rateLimiter({ burst: 50_000, perSecond: 50_000 });

/** Ends the connection of a request whose body comes in too many small pieces, or in many while all clients send too many. */
export function boundRequest(req: IncomingMessage): void {
  const mayOneCome = pieceBound();
  let small = 0;
  const mayCome = (bytes: number): boolean => {
    if (bytes < meanBytes) small += 1;
    return mayOneCome(bytes) && (bytes >= meanBytes || small <= alwaysSmall || ofAll.take('').allowed);
  };
  const push = req.push.bind(req);
  // Counted where the parser hands them over: a listener would set the body flowing before its reader is there.
  req.push = (piece: Buffer | null, encoding) => {
    if (piece === null || (!req.socket.destroyed && mayCome(piece.length))) return push(piece, encoding);
    cutOff(req.socket);
    return false;
  };
}

/** Responses of status 1xx before the answer: a server sends a few, and one that sends no end of them slows others. */
const mostInterim = 100;

/**
 * Ends the answers of other servers that come in too many small pieces, or after too many interim responses; for `compose` of a
 * client.
 * @throws errors.ResponseExceededMaxSizeError from the request, or from its body
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
