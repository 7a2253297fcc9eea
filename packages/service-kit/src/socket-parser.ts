import type { Socket } from 'node:net';

/** The parser of an HTTP server's connection, which Node keeps in an undocumented property. */
function parserOf(socket: Socket): object | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' && parser !== null ? parser : undefined;
}

/**
 * Where Node keeps its parser's callbacks for a head and for a piece of a body (`HTTPParser.kOnHeadersComplete`,
 * `kOnBody`).
 */
const [onHead, onBody] = [2, 3];
const refuseHead = (): number => -1;

/**
 * Closes a connection and makes its parser skip bodies and fail at the next head. Otherwise the parser would continue
 * with all bytes already read.
 */
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
  // The parser is reused for another connection.
  socket.once('close', () => set(before));
}

/**
 * Takes the socket from its parser, whose time limits would otherwise still apply. Keeps the listeners that write the
 * answers to earlier requests and those that clean up when the connection is lost.
 */
export function dropParser(socket: Socket): void {
  const parser = parserOf(socket);
  // A `data` listener makes the parser release the socket's handle.
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

/**
 * Releases a parser, which would otherwise stay in memory with its socket. Closes it only after its current call has
 * returned.
 */
function free(socket: Socket, parser: object): void {
  Reflect.set(socket, 'parser', null);
  Reflect.set(parser, 'socket', null);
  const close: unknown = Reflect.get(parser, 'close');
  if (typeof close === 'function') setImmediate(() => Reflect.apply(close, parser, []));
}
