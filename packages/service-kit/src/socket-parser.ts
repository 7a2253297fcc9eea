import type { Socket } from 'node:net';

/** What parses the requests of a connection to an HTTP server: Node keeps it there, and does not tell. */
function parserOf(socket: Socket): object | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' && parser !== null ? parser : undefined;
}

/** Where Node keeps what its parser calls for a whole head, and for a piece of a body (`HTTPParser.kOnHeadersComplete`, `kOnBody`). */
const [onHead, onBody] = [2, 3];
const refuseHead = (): number => -1;

/** Closes a connection, and has its parser pass over bodies and fail at the next head: it would go on with all that was read. */
export function cutOff(socket: Socket): void {
  socket.destroy();
  const parser = parserOf(socket);
  if (parser === undefined) return;
  const before: readonly unknown[] = [Reflect.get(parser, onHead), Reflect.get(parser, onBody)];
  if (before[0] === refuseHead) return;
  const set = ([head, body]: readonly unknown[]): void => {
    Reflect.set(parser, onHead, head);
    Reflect.set(parser, onBody, body);
  };
  set([refuseHead, undefined]);
  // It parses for another connection afterwards.
  socket.once('close', () => set(before));
}

/**
 * Takes the socket from its parser, which would count its time limits on. What writes the answers to earlier requests
 * stays, and what lets go of them when the connection is lost.
 */
export function dropParser(socket: Socket): void {
  const parser = parserOf(socket);
  // A listener for data makes the parser let go of the socket's handle.
  socket.on('data', () => undefined);
  socket.pause();
  for (const event of ['data', 'end', 'error', 'timeout', 'resume', 'pause', 'readable']) {
    socket.removeAllListeners(event);
  }
  socket.on('error', () => socket.destroy());
  if (parser !== undefined && 'remove' in parser && typeof parser.remove === 'function') {
    parser.remove();
    free(socket, parser);
  }
}

/** Lets go of a parser, which would otherwise stay in memory with its socket. Not before its own call has returned. */
function free(socket: Socket, parser: object): void {
  Reflect.set(socket, 'parser', null);
  Reflect.set(parser, 'socket', null);
  const close: unknown = Reflect.get(parser, 'close');
  if (typeof close === 'function') setImmediate(() => Reflect.apply(close, parser, []));
}
