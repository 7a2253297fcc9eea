import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const asked = Buffer.from('LIST ');
const understood = Buffer.from('GET ');

/**
 * Has a server understand the method LIST, which the parser of Node's HTTP server refuses: requests reach the handler
 * with `method` LIST. Connections stay open, and requests may follow each other without waiting.
 *
 * A connection on which the parser stumbled is given to a new parser, with `GET` in the place of the word.
 */
export function understandList(server: Server): void {
  /** Sockets whose next request is a LIST. */
  const listing = new WeakSet<Socket>();
  /** How many requests of a socket are not answered yet, and who waits for them. */
  const unanswered = new WeakMap<Socket, { count: number; waiting: (() => void) | undefined }>();

  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const { socket } = req;
    if (listing.delete(socket)) req.method = 'LIST';
    const state = unanswered.get(socket) ?? { count: 0, waiting: undefined };
    state.count++;
    unanswered.set(socket, state);
    res.once('close', () => {
      state.count--;
      if (state.count === 0) state.waiting?.();
    });
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const rest = error.code === 'HPE_INVALID_METHOD' ? unparsed(error) : undefined;
    if (rest === undefined || socket.destroyed || !socket.writable) {
      refuse(error, socket);
      return;
    }
    dropParser(socket);
    const takeOver = (bytes: Buffer): void => {
      const state = unanswered.get(socket);
      if (state !== undefined && state.count > 0) {
        socket.pause();
        state.waiting = () => {
          state.waiting = undefined;
          takeOver(bytes);
        };
        return;
      }
      listing.add(socket);
      socket.pause();
      socket.unshift(Buffer.concat([understood, bytes.subarray(asked.length)]));
      server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
      socket.resume();
    };
    whenComplete(socket, rest, takeOver, () => refuse(error, socket));
  });
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

/** Waits until the method's word is there. */
function whenComplete(
  socket: Socket,
  bytes: Buffer,
  complete: (bytes: Buffer) => void,
  refused: () => void,
): void {
  if (bytes.length >= asked.length) {
    complete(bytes);
    return;
  }
  socket.once('data', (more: Buffer) => {
    const all = Buffer.concat([bytes, more]);
    if (asked.subarray(0, all.length).equals(all.subarray(0, asked.length))) {
      whenComplete(socket, all, complete, refused);
    } else refused();
  });
  socket.resume();
}

/** Takes the socket from its parser, which would count its time limits on. */
function dropParser(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  // A listener for data makes the parser let go of the socket's handle.
  const nothing = (): void => undefined;
  socket.on('data', nothing);
  socket.pause();
  for (const event of ['data', 'end', 'close', 'drain', 'error', 'timeout', 'resume', 'pause', 'readable']) {
    socket.removeAllListeners(event);
  }
  socket.on('error', () => socket.destroy());
  if (
    typeof parser === 'object' &&
    parser !== null &&
    'remove' in parser &&
    typeof parser.remove === 'function'
  ) {
    parser.remove();
  }
}

/** What Node answers by itself when nobody listens for `clientError`. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? '408 Request Timeout'
          : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    return;
  }
  socket.destroy();
}
