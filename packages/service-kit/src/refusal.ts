import type { Socket } from 'node:net';
import { rateLimiter } from './rate-limit.ts';
import { dropParser } from './socket-parser.ts';

/** How many clients get an answer to what could not be parsed; further ones are cut off. */
const answered = rateLimiter({ burst: 100, perSecond: 100 });
/** How long a refused client may take to read the answer and close, in milliseconds. */
const refusalMs = 2_000;

/**
 * Answers what the parser refuses with an error, as Node would, and gives the client `refusalMs` to read it. For the
 * event `clientError`: without a listener, Node would answer any number of clients.
 * @param isBusy whether an earlier request is unanswered; the connection is then cut, because two answers would mix
 */
export function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket, isBusy: boolean): void {
  // Not a failed TLS handshake, and not a lost connection.
  const isOfHttp = /^(HPE|ERR_HTTP)_/.test(error.code ?? '');
  if (!isOfHttp || isBusy || socket.destroyed || !socket.writable || !answered.take('').allowed) {
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
  // Closing at once would reset the connection while the client still sends, so it might not get the answer.
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
  // Keeps the stream flowing.
}
