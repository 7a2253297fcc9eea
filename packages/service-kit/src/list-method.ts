import { IncomingMessage } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { dropParser } from './socket-parser.ts';

const asked = Buffer.from('LIST ');
const understood = Buffer.from('GET ');

/** Sockets whose next request is a LIST. */
const listing = new WeakSet<Socket>();

/** A request that knows whether it is a LIST. The parser makes one for every head, also for those that Node answers itself. */
class ListRequest extends IncomingMessage {
  readonly isList: boolean;

  constructor(socket: Socket) {
    super(socket);
    this.isList = listing.delete(socket);
  }
}

/** Bytes of later requests that are kept while an earlier one is not answered. */
const mostCollected = 256 * 1024;

/** Options of a server that is to understand LIST. */
export const listOptions = { IncomingMessage: ListRequest } as const;

/** A socket of which a request is not answered yet. */
interface Unanswered {
  count: number;
  /** Called when there is none any more. */
  waiting: (() => void) | undefined;
}

/**
 * Has a server understand the method LIST, which the parser of Node's HTTP server refuses: requests reach the handler
 * with `method` LIST. Connections stay open, and requests may follow each other without waiting.
 *
 * A connection on which the parser stumbled is given to a new parser, with `GET` in the place of the word. Between the
 * two the server does not know of it: the rest of the word has the time of the server's headers, and no longer.
 * @param server made with `listOptions`
 */
export function understandList(server: Server<typeof ListRequest>): void {
  const unanswered = new WeakMap<Socket, Unanswered>();
  const isBusy = (socket: Socket): boolean => (unanswered.get(socket)?.count ?? 0) > 0;

  const begins = (req: ListRequest, res: ServerResponse): void => {
    const { socket } = req;
    if (req.isList) req.method = 'LIST';
    // After a request that asks for another protocol, the parser keeps what it stumbles over to itself.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const state = unanswered.get(socket) ?? { count: 0, waiting: undefined };
    state.count++;
    unanswered.set(socket, state);
    res.once('close', () => {
      state.count--;
      if (state.count === 0) state.waiting?.();
    });
  };
  server.prependListener('request', begins);
  // Node answers this itself where nobody listens, without a `request` event: the answer would not be waited for.
  server.on('checkExpectation', (req: ListRequest, res: ServerResponse) => {
    begins(req, res);
    res.writeHead(417).end();
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = error.code === 'HPE_INVALID_METHOD' ? unparsed(error) : undefined;
    if (begun === undefined || socket.destroyed || !socket.writable) {
      refuse(error, socket, isBusy(socket));
      return;
    }
    dropParser(socket);
    if (begun.length >= asked.length) whenAnswered(socket, begun);
    else awaitWord(error, socket, begun);
  });

  /** Waits for the rest of the word, until the deadline of headers or until the client ends. */
  function awaitWord(error: NodeJS.ErrnoException, socket: Socket, begun: Buffer): void {
    let bytes = begun;
    const stop = (): void => {
      clearTimeout(deadline);
      socket.off('data', more).off('end', cut).off('close', stop).pause();
    };
    const cut = (): void => {
      stop();
      refuse(error, socket, isBusy(socket));
    };
    const more = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!asked.subarray(0, bytes.length).equals(bytes.subarray(0, asked.length))) cut();
      else if (bytes.length >= asked.length) {
        stop();
        whenAnswered(socket, bytes);
      }
    };
    const deadline = setTimeout(cut, server.headersTimeout);
    socket.on('data', more).once('end', cut).once('close', stop).resume();
  }

  /** Hands a connection over when all that came before is answered. Until then it is not read from. */
  function whenAnswered(socket: Socket, begun: Buffer): void {
    const state = unanswered.get(socket);
    if (state === undefined || state.count === 0) {
      handOver(socket, begun);
      return;
    }
    let bytes = begun;
    // An answer that was held up and goes on may have the socket read again.
    const collect = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > mostCollected) socket.destroy();
      else socket.pause();
    };
    socket.on('data', collect);
    state.waiting = () => {
      state.waiting = undefined;
      // Others have their turn between two requests that came without waiting.
      setImmediate(() => {
        socket.off('data', collect);
        handOver(socket, bytes);
      });
    };
  }

  function handOver(socket: Socket, bytes: Buffer): void {
    // It was lost meanwhile, or the answer before was the last one.
    if (socket.destroyed || !socket.writable) return;
    socket.pause();
    socket.setTimeout(0);
    for (const event of ['close', 'drain', 'error']) socket.removeAllListeners(event);
    listing.add(socket);
    socket.unshift(Buffer.concat([understood, bytes.subarray(asked.length)]));
    server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
    socket.resume();
  }
}

/** The bytes from the start of the method on; undefined when it cannot be the beginning of LIST. */
function unparsed(error: Error): Buffer | undefined {
  if (!('rawPacket' in error) || !('bytesParsed' in error)) return undefined;
  const { rawPacket, bytesParsed } = error;
  if (!Buffer.isBuffer(rawPacket) || typeof bytesParsed !== 'number') return undefined;
  // The parser stumbles over the S: L and I were good so far, and may have come in an earlier packet.
  for (let before = 2; before >= 0; before--) {
    if (bytesParsed < before) continue;
    const bytes = Buffer.concat([asked.subarray(0, 2 - before), rawPacket.subarray(bytesParsed - before)]);
    if (before < 2 && bytesParsed !== before) return undefined;
    return asked.subarray(0, bytes.length).equals(bytes.subarray(0, asked.length)) ? bytes : undefined;
  }
  return undefined;
}

/** How long a client that was refused may take to read why and to end, in milliseconds. */
const refusalMs = 2_000;

/**
 * Answers what is wrong, as Node would, and gives the client `refusalMs` to read it.
 * @param isBusy whether an earlier request is not answered: the connection is cut then, for two answers would mix
 */
function refuse(error: NodeJS.ErrnoException, socket: Socket, isBusy: boolean): void {
  if (isBusy || socket.destroyed || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  dropParser(socket);
  // Closed at once, it would be reset by what the client still sends, which then may not read the answer.
  const cut = (): void => void socket.destroy();
  const deadline = setTimeout(cut, refusalMs);
  socket
    .on('data', nothing)
    .once('end', cut)
    .once('close', () => clearTimeout(deadline));
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.resume();
}

function nothing(): void {
  // A listener that only keeps the stream flowing.
}
