import { IncomingMessage } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { mayFollow } from './pipelining.ts';
import { refuseUnparsed } from './refusal.ts';
import { cutOff, dropParser } from './socket-parser.ts';

const asked = Buffer.from('LIST ');
const understood = Buffer.from('GET ');

/** Sockets whose next parsed request is a LIST. */
const listing = new WeakSet<Socket>();

/**
 * A request that knows whether it is a LIST. The parser creates one for every head, including those that Node answers
 * itself.
 */
class ListRequest extends IncomingMessage {
  readonly isList: boolean;

  constructor(socket: Socket) {
    super(socket);
    this.isList = listing.delete(socket);
  }
}

/** Most bytes of later requests kept while an earlier request is unanswered. */
const mostCollected = 256 * 1024;

/** Server options required for LIST. */
export const listOptions = { IncomingMessage: ListRequest } as const;

/** A socket with unanswered requests. */
interface Unanswered {
  count: number;
  /** LIST requests that have waited since the client last waited for an answer. */
  waited: number;
  /** Called when the count reaches 0. */
  waiting: (() => void) | undefined;
}

/**
 * Makes a server accept the method LIST, which the parser of Node's HTTP server refuses: requests reach the handler
 * with `method` LIST. Connections stay open, and requests may be pipelined.
 *
 * When the parser fails at LIST, the connection is given to a new parser with `GET` in place of the method. Between the
 * two the server doesn't track the connection, so the rest of an incomplete method must arrive within the server's
 * headers timeout. The server has to answer `checkExpectation`, too.
 * @param server created with `listOptions`; has no other listeners for new connections yet, except those of
 *   `handshakesInTurns`
 */
export function understandList(server: Server<typeof ListRequest>): void {
  const connected = server instanceof TlsServer ? 'secureConnection' : 'connection';
  const [connect] = server.listeners(connected);
  if (connect === undefined) throw new TypeError('the server accepts no connections');
  /** The parser's own listeners for the end of a connection. */
  const cleanups = new WeakMap<Socket, readonly ((hadError: boolean) => void)[]>();
  const parse = (socket: Socket): void => {
    const others = new Set(socket.listeners('close'));
    Reflect.apply(connect, server, [socket]);
    cleanups.set(
      socket,
      socket.listeners('close').filter((listener) => !others.has(listener)),
    );
  };
  server.off(connected, connect).prependListener(connected, parse);
  const unanswered = new WeakMap<Socket, Unanswered>();
  const isBusy = (socket: Socket): boolean => (unanswered.get(socket)?.count ?? 0) > 0;

  const begins = (req: ListRequest, res: ServerResponse): void => {
    const { socket } = req;
    if (req.isList) req.method = 'LIST';
    // After an upgrade request, the parser doesn't report where it failed, so a later LIST can't be recognized.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    const state = unanswered.get(socket) ?? { count: 0, waited: 0, waiting: undefined };
    if (state.count === 0 && !req.isList) state.waited = 0;
    state.count++;
    unanswered.set(socket, state);
    res.once('close', () => {
      state.count--;
      if (state.count === 0) state.waiting?.();
    });
  };
  for (const event of ['request', 'checkExpectation']) server.prependListener(event, begins);

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = error.code === 'HPE_INVALID_METHOD' ? unparsed(error) : undefined;
    if (begun === undefined || socket.destroyed || !socket.writable) {
      refuseUnparsed(error, socket, isBusy(socket));
      return;
    }
    dropParser(socket);
    if (begun.length >= asked.length) whenAnswered(socket, begun);
    else awaitWord(error, socket, begun);
  });

  /** Waits for the rest of the method until the headers deadline or the end of the connection. */
  function awaitWord(error: NodeJS.ErrnoException, socket: Socket, begun: Buffer): void {
    let bytes = begun;
    const stop = (): void => {
      clearTimeout(deadline);
      socket.off('data', more).off('end', cut).off('close', stop).pause();
    };
    const cut = (): void => {
      stop();
      refuseUnparsed(error, socket, isBusy(socket));
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

  /** Hands a connection over once all earlier requests are answered. Reads no more from it until then. */
  function whenAnswered(socket: Socket, begun: Buffer): void {
    const state = unanswered.get(socket);
    if (state === undefined || state.count === 0) {
      if (state !== undefined) state.waited = 0;
      handOver(socket, begun);
      return;
    }
    // To the server it will look like a request that follows no other.
    state.waited++;
    if (!mayFollow(state.waited)) {
      cutOff(socket);
      return;
    }
    let bytes = begun;
    // An earlier answer can resume the socket when it continues after backpressure.
    const collect = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (bytes.length > mostCollected) socket.destroy();
      else socket.pause();
    };
    socket.on('data', collect);
    state.waiting = () => {
      state.waiting = undefined;
      // Other connections get a turn between two pipelined requests.
      setImmediate(() => {
        socket.off('data', collect);
        handOver(socket, bytes);
      });
    };
  }

  function handOver(socket: Socket, bytes: Buffer): void {
    // The connection was lost, or the previous answer was its last.
    if (socket.destroyed || !socket.writable) return;
    socket.pause();
    socket.setTimeout(0);
    for (const event of ['drain', 'error']) socket.removeAllListeners(event);
    for (const cleanup of cleanups.get(socket) ?? []) socket.off('close', cleanup);
    listing.add(socket);
    socket.unshift(Buffer.concat([understood, bytes.subarray(asked.length)]));
    // Not as a new connection of the server, which would be counted again.
    parse(socket);
    socket.resume();
  }
}

/** The bytes from the start of the method; undefined if they can't be the beginning of LIST. */
function unparsed(error: Error): Buffer | undefined {
  if (!('rawPacket' in error) || !('bytesParsed' in error)) return undefined;
  const { rawPacket, bytesParsed } = error;
  if (!Buffer.isBuffer(rawPacket) || typeof bytesParsed !== 'number') return undefined;
  // The parser fails at the S; the L and the I may have arrived in an earlier packet.
  for (let before = 2; before >= 0; before--) {
    if (bytesParsed < before) continue;
    const bytes = Buffer.concat([asked.subarray(0, 2 - before), rawPacket.subarray(bytesParsed - before)]);
    if (before < 2 && bytesParsed !== before) return undefined;
    return asked.subarray(0, bytes.length).equals(bytes.subarray(0, asked.length)) ? bytes : undefined;
  }
  return undefined;
}
