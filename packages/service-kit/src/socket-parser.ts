import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The parser of an HTTP server's connection, which Node keeps in an undocumented property. */
function parserOf(socket: Socket): object | undefined {
  const parser: unknown = Reflect.get(socket, 'parser');
  return typeof parser === 'object' && parser !== null ? parser : undefined;
}

/**
 * Where Node keeps its parser's callbacks for a head, for a piece of a body, and for a read
 * (`HTTPParser.kOnHeadersComplete`, `kOnBody`, `kOnExecute`).
 */
const [onHead, onBody, onRead] = [2, 3, 5];
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
 * Calls a function for each read of a connection that has just got its first parser, whether the parser reads from the
 * system itself or not.
 * @param hear gets the number of bytes, and which part of a request they ended in
 */
export function hearReads(socket: Socket, hear: (bytes: number, part: 'head' | 'body') => void): void {
  let before = socket.bytesRead;
  const wrap = (target: unknown, name: string | number): void => {
    if (typeof target !== 'object' || target === null) return;
    const usual: unknown = Reflect.get(target, name);
    if (typeof usual !== 'function') return;
    Reflect.set(target, name, function (this: unknown, ...parts: readonly unknown[]) {
      const { bytesRead } = socket;
      const incoming: unknown = Reflect.get(parserOf(socket) ?? {}, 'incoming');
      hear(bytesRead - before, incoming instanceof IncomingMessage && !incoming.complete ? 'body' : 'head');
      before = bytesRead;
      // A connection that was cut off has no use for the rest of what has been read.
      if (!socket.destroyed) Reflect.apply(usual, this, parts);
    });
  };
  wrap(parserOf(socket), onRead);
  wrap(Reflect.get(socket, '_handle'), 'onread');
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
