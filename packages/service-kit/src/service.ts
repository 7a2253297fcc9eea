import { constants } from 'node:crypto';
import { chmodSync, unlinkSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressList, believeProxies, clientAddress, networkOf } from './client-address.ts';
import { connectionBound } from './connection-bound.ts';
import { errorCode } from './error-code.ts';
import { handshakesInTurns } from './handshake-turns.ts';
import type { HttpError } from './http-error.ts';
import { listOptions, understandList } from './list-method.ts';
import { boundRequest } from './piece-bound.ts';
import { guardPort } from './port-guard.ts';
import { rateLimiter } from './rate-limit.ts';
import { cutOff } from './socket-parser.ts';

/** One of the services that the console administers, in the form in which it is embedded. */
export interface Service {
  readonly name: 'access' | 'secrets' | 'boxes' | 'modules';
  /** Version of the implementation, as its own API would tell it. */
  readonly version: string;
  /** Answers the service's requests; it does not listen by itself. */
  readonly handler: RequestListener;
  /** The body with which it answers an error. */
  readonly errorBody: (error: HttpError) => unknown;
  /** Whether it is asked with the method LIST. Not together with `largeBodies`, whose expectations it does not see. */
  readonly listMethod?: boolean;
  /**
   * Whether it takes bodies of any size: then it keeps a deadline for every body itself, and itself tells a client that
   * waits for it to send one (`Expect: 100-continue`, `res.writeContinue()`).
   */
  readonly largeBodies?: boolean;
  /** Whether the service can answer requests now. */
  ready(): Promise<boolean>;
  /** Finishes writes and closes what the service has open. Requests fail afterwards. */
  close(): Promise<void>;
}

/** Where to listen: a TCP port (0 chooses a free one) or a Unix socket, whose X-Forwarded-For a service believes. */
export type ListenTarget =
  | {
      readonly host: string;
      readonly port: number;
      /**
       * Host names by which a service may be called, beside loopback's and `host` itself, with any port: what another site's
       * page sends to a name that it made lead here is refused. Any name may be used unless given.
       */
      readonly names?: readonly string[];
      /** Addresses or networks (CIDR) whose X-Forwarded-For a service believes; none unless given. */
      readonly forwardedFrom?: readonly string[];
      readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
    }
  | { readonly socketPath: string };

/** A server that accepts connections. */
export type Listening = Awaited<ReturnType<typeof listen>>;

/** Of TLS, its time in milliseconds. Clients that could shake hands again on a connection would take the processor each time. */
const handshake = { handshakeTimeout: 10_000, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

/** Time limits of every server, in milliseconds. */
const timeouts = {
  headers: 15_000,
  /** Of a whole request: long enough for a large upload over a slow line. */
  request: 3_600_000,
  /** The same of a service that takes no large bodies. */
  smallRequest: 60_000,
  /** Longer than the clients' own, so that a client never writes into a connection that is being closed. */
  keepAlive: 65_000,
  sweep: 5_000,
} as const;

/** Requests of one connection that may wait for their answers. More come from no client of the field, and block others. */
const mostWaiting = 16;
/** Requests of this process that may come while an earlier one of their connection waits for its answer. */
const ofAll = rateLimiter({ burst: 2_000, perSecond: 2_000 });

/** How long a server puts up with clients that do not read. */
export interface Patience {
  /** Within which a client that reads nothing of its answer is cut off, in milliseconds; 60,000 unless given. */
  readonly stallMs?: number;
  /** Bytes of answers that all clients may leave unread; 256 MiB unless given. */
  readonly unreadBytes?: number;
  /** Connections at once; 2,000 unless given. */
  readonly connections?: number;
}

/**
 * Starts a server for a service or a bare handler.
 * @throws Error with `code` EADDRINUSE, EACCES, EADDRNOTAVAIL … when the place cannot be used
 */
export async function listen(
  target: Service | RequestListener,
  where: ListenTarget,
  { stallMs = 60_000, unreadBytes = 256 * 2 ** 20, connections = 2_000 }: Patience = {},
) {
  const names = 'port' in where && where.names !== undefined ? [where.host, ...where.names] : undefined;
  const handler =
    typeof target === 'function' ? target : guardPort(target.handler, { names, errorBody: target.errorBody });
  const isProxy =
    'port' in where ? addressList(where.forwardedFrom ?? []) : (address: string) => address === '';
  const largeBodies = typeof target !== 'function' && target.largeBodies === true;
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: largeBodies ? 0 : typeof target === 'function' ? timeouts.request : timeouts.smallRequest,
    keepAliveTimeout: timeouts.keepAlive,
    connectionsCheckingInterval: timeouts.sweep,
    maxHeaderSize: 32 * 1024,
    noDelay: true,
  };
  const tls = 'tls' in where ? where.tls : undefined;
  const withList = typeof target !== 'function' && target.listMethod === true;
  const settings = { ...options, ...(withList && listOptions) };
  const server =
    tls === undefined ? createHttpServer(settings) : createHttpsServer({ ...settings, ...tls, ...handshake });

  const handshakes = tls === undefined ? new Map<string, Socket>() : handshakesInTurns(server);
  const connected = () => [...sockets, ...handshakes.values()];
  if (withList) understandList(server);
  /** The connections that requests come on: the server itself loses sight of those that go from parser to parser. */
  const sockets = new Set<Socket>();
  /** Requests under way by connection. One at a time is answered: what is not read yet would pile up. */
  const requests = new Map<Socket, Waiting[]>();
  const boundUnread = unreadBound(unreadBytes);
  server.on('connection', connectionBound(connections));
  let draining = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  if (tls === undefined) server.on('connection', keep);
  else {
    server.on('secureConnection', (socket: Socket) => {
      keep(socket);
      if (draining) socket.destroy();
    });
  }
  /** Cuts a connection on which nothing is under way, a request whose head is not complete included. */
  const cutIdle = (socket: Socket): void => {
    if (!requests.has(socket)) socket.destroy();
  };
  const answer: RequestListener = (req, res) => {
    const { socket } = req;
    const queue = requests.get(socket) ?? [];
    // It may also be cut off already, and this be what it had sent before.
    if (socket.destroyed || queue.length >= mostWaiting || (queue.length > 0 && !ofAll.take('').allowed)) {
      cutOff(socket);
      return;
    }
    boundRequest(req);
    const begin = (): void => {
      res.once('prefinish', () => boundUnread([req]));
      res.once('close', () => {
        queue.shift();
        const [next] = queue;
        if (next !== undefined && !socket.destroyed) {
          next.begin();
          return;
        }
        requests.delete(socket);
        if (draining) cutIdle(socket);
      });
      believeProxies(req, isProxy);
      handler(req, res);
    };
    if (draining) res.setHeader('Connection', 'close');
    requests.set(socket, queue);
    if (queue.push({ res, begin }) === 1) begin();
  };
  server.on('request', answer);
  // Nothing came or went for a while. Where a part of a write had left, Node waits as long again before it says so.
  server.setTimeout(stallMs / 2, (socket: Socket) => {
    // It may wait for an answer that takes long.
    if (requests.has(socket) && socket.writableLength === 0) socket.setTimeout(stallMs / 2);
    else socket.destroy();
  });
  if (largeBodies) server.on('checkContinue', answer);

  if ('socketPath' in where) await clearStaleSocket(where.socketPath);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.once('listening', resolve);
  if ('socketPath' in where) server.listen(where.socketPath);
  else server.listen(where.port, where.host);
  await promise;
  server.off('error', reject);
  if ('socketPath' in where) chmodSync(where.socketPath, 0o600);

  // An answer that is written only as fast as it is read never ends where nobody reads it.
  function* underWay() {
    for (const [first] of requests.values()) if (first !== undefined) yield first.res.req;
  }
  const looking = setInterval(() => boundUnread(underWay()), lookMs).unref();
  server.once('close', () => clearInterval(looking));

  const { address, port } = place(server, tls !== undefined);
  let ended: Promise<void> | undefined;
  return {
    /** Where it was reached at last: `http://127.0.0.1:9200`, `https://…`, or `unix:/path`. */
    address,
    /** The TCP port, or 0 for a Unix socket. */
    port,
    server,
    /**
     * Stops accepting, lets requests under way finish, and resolves when every connection is closed.
     * @param deadlineMs after which the remaining connections are cut, in milliseconds
     */
    drain(deadlineMs: number): Promise<void> {
      ended ??= (async () => {
        draining = true;
        const closed = Promise.withResolvers<void>();
        // Node would cut answers that are ended and not yet sent.
        server.closeIdleConnections = () => undefined;
        server.close(() => closed.resolve());
        // Of requests that came without waiting the last answer ends the connection.
        for (const queue of requests.values()) {
          const last = queue.at(-1)?.res;
          if (last?.headersSent === false) last.setHeader('Connection', 'close');
        }
        for (const socket of connected()) cutIdle(socket);
        const cancel = new AbortController();
        const deadline = sleep(deadlineMs, undefined, { signal: cancel.signal }).then(
          () => {
            for (const socket of connected()) socket.destroy();
          },
          () => undefined,
        );
        await closed.promise;
        cancel.abort();
        await deadline;
      })();
      return ended;
    },
  };
}

/** A request, and what answers it in its turn. */
interface Waiting {
  readonly res: ServerResponse;
  begin(): void;
}

/** From so many unread bytes on a connection counts, in bytes: others are of no weight. */
const heavy = 16 * 1024;
/** How often answers that have not ended are checked, in milliseconds. */
const lookMs = 250;

/**
 * Bounds what clients leave unread of answers: where it is too much, those are cut off that have held on longest, of the
 * network that holds most.
 * @param most bytes
 * @returns checks connections on which requests were answered, together with those that it knows
 */
function unreadBound(most: number): (answered: Iterable<IncomingMessage>) => void {
  /** With the networks of their clients. Those that held on longest come first. */
  const holders = new Map<Socket, string>();
  return (answered) => {
    for (const req of answered)
      if (req.socket.writableLength >= heavy && !holders.has(req.socket))
        holders.set(req.socket, networkOf(clientAddress(req) ?? ''));
    let total = 0;
    const ofNetwork = new Map<string, number>();
    for (const [socket, network] of holders) {
      const { writableLength } = socket;
      if (socket.destroyed || writableLength < heavy) holders.delete(socket);
      else {
        total += writableLength;
        ofNetwork.set(network, (ofNetwork.get(network) ?? 0) + writableLength);
      }
    }
    while (total > most) {
      const [[largest, held] = []] = [...ofNetwork].toSorted(([, one], [, other]) => other - one);
      const [oldest] = [...holders].find(([, network]) => network === largest) ?? [];
      if (largest === undefined || oldest === undefined) return;
      total -= oldest.writableLength;
      ofNetwork.set(largest, (held ?? 0) - oldest.writableLength);
      holders.delete(oldest);
      oldest.destroy();
    }
  };
}

function place(server: Server, tls: boolean): { readonly address: string; readonly port: number } {
  const at = server.address();
  if (at === null) throw new Error('the server is not listening');
  if (typeof at === 'string') return { address: `unix:${at}`, port: 0 };
  const host = at.family === 'IPv6' ? `[${at.address}]` : at.address;
  return { address: `${tls ? 'https' : 'http'}://${host}:${at.port}`, port: at.port };
}

/** Removes the socket file of a server that is gone; leaves the file of a living one, so that listening fails. */
async function clearStaleSocket(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = connect(path);
  probe.once('connect', () => resolve(false));
  probe.once('error', (error) => resolve(errorCode(error) === 'ECONNREFUSED'));
  const stale = await promise;
  probe.destroy();
  if (stale) unlinkSync(path);
}
