import { constants } from 'node:crypto';
import { chmodSync, unlinkSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { addressList, believeProxies, clientAddress, networkOf } from './client-address.ts';
import { connectionBound } from './connection-bound.ts';
import { errorCode } from './error-code.ts';
import { handshakesInTurns } from './handshake-turns.ts';
import type { HttpError } from './http-error.ts';
import { listOptions, understandList } from './list-method.ts';
import { boundRequest } from './piece-bound.ts';
import { closeIfUnread, countHeld, mayFollow } from './pipelining.ts';
import { guardPort } from './port-guard.ts';
import { refuseUnparsed } from './refusal.ts';
import { cutOff } from './socket-parser.ts';
import { meterRecords } from './tls-records.ts';
import { unreadOf } from './waiting-answers.ts';

// With DHE, a server sets the prime's length: one of 10,000 bits takes a client 1.3 seconds, during which the process does
// nothing else. Servers that have neither ECDHE nor TLS 1.3 are rare.
tls.DEFAULT_CIPHERS += ':!DHE';

/** A service that the console administers, in its embedded form. */
export interface Service {
  readonly name: 'access' | 'secrets' | 'boxes' | 'modules';
  /** Version of the implementation, as the service's own API reports it. */
  readonly version: string;
  /** Answers the service's requests; it does not listen. */
  readonly handler: RequestListener;
  /** The body of an error response. */
  readonly errorBody: (error: HttpError) => unknown;
  /**
   * Whether it accepts the method LIST. Can't be combined with `largeBodies`, because requests with `Expect` don't
   * reach it.
   */
  readonly listMethod?: boolean;
  /**
   * Whether it accepts bodies of any size. It must then enforce a deadline for every body, and answer `Expect:
   * 100-continue` itself with `res.writeContinue()`.
   */
  readonly largeBodies?: boolean;
  /** Whether the service can answer requests now. */
  ready(): Promise<boolean>;
  /** Finishes writes and closes all resources. Later requests fail. */
  close(): Promise<void>;
}

/** Where to listen: a TCP port (0 chooses a free one) or a Unix socket, whose X-Forwarded-For is trusted. */
export type ListenTarget =
  | {
      readonly host: string;
      readonly port: number;
      /**
       * Host names that requests may use, besides loopback's and `host` itself, on any port. Others are refused,
       * because another site can point its own name at this address. All names are accepted unless given.
       */
      readonly names?: readonly string[];
      /** Addresses or networks (CIDR) whose X-Forwarded-For is trusted; none unless given. */
      readonly forwardedFrom?: readonly string[];
      readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
    }
  | { readonly socketPath: string };

/** A server that accepts connections. */
export type Listening = Awaited<ReturnType<typeof listen>>;

/** TLS settings; the timeout is in milliseconds. Renegotiation is disabled because each one costs processor time. */
const handshake = { handshakeTimeout: 10_000, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };

/** Time limits of every server, in milliseconds. */
const timeouts = {
  headers: 15_000,
  /** For a whole request, long enough for a large upload over a slow line. */
  request: 3_600_000,
  /** For a whole request to a service without large bodies. */
  smallRequest: 60_000,
  /** Longer than the clients' own, so that no client writes to a connection that is being closed. */
  keepAlive: 65_000,
  sweep: 5_000,
} as const;

/**
 * Whether a request names one host, in its Host header, and at most one Authorization, so that a proxy and this server
 * can't read different ones: Node uses the first. Before HTTP/1.1 it may name no host.
 */
function isUnambiguous({ rawHeaders, httpVersion, url = '' }: IncomingMessage): boolean {
  const count = (name: string): number =>
    rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
  const hosts = count('host');
  const hasHost = hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
  return hasHost && count('authorization') <= 1 && (url.startsWith('/') || url === '*');
}

/** Most fields in a request's head, and in its trailers; more are refused while they are parsed. */
const mostFields = 100;

/** Answers with a status alone, and closes the connection. */
function refuse(res: ServerResponse, status: number): void {
  res.writeHead(status, { Connection: 'close' }).end();
}

/** Limits for clients that read slowly or hold many connections. */
export interface Patience {
  /** A client that reads nothing of its answer for this long is cut off, in milliseconds; 60,000 unless given. */
  readonly stallMs?: number;
  /** Unread bytes of answers of all clients together, written or kept while they wait; 256 MiB unless given. */
  readonly unreadBytes?: number;
  /** Open connections; 2,000 unless given. */
  readonly connections?: number;
}

/**
 * Starts a server for a service or a bare handler.
 * @throws Error with `code` EADDRINUSE, EACCES, EADDRNOTAVAIL … if the address can't be used
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
    // Node's own answer would not be counted.
    requireHostHeader: false,
    noDelay: true,
  };
  const tls = 'tls' in where ? where.tls : undefined;
  const withList = typeof target !== 'function' && target.listMethod === true;
  const settings = { ...options, ...(withList && listOptions) };
  const server =
    tls === undefined ? createHttpServer(settings) : createHttpsServer({ ...settings, ...tls, ...handshake });
  server.maxHeadersCount = mostFields;

  const handshakes =
    tls === undefined ? new Map<string, Socket>() : handshakesInTurns(server, meterRecords(server));
  const connected = () => [...sockets, ...handshakes.values()];
  if (withList) understandList(server);
  else {
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      refuseUnparsed(error, socket, requests.has(socket));
    });
  }
  /**
   * The connections that requests arrive on. Tracked here because the server loses track of those handed to another
   * parser.
   */
  const sockets = new Set<Socket>();
  /** Connections that no request has arrived on. */
  const unused = new WeakSet<Socket>();
  /** Requests in progress by connection. Only one at a time is processed, so that unread answers don't pile up. */
  const requests = new Map<Socket, Waiting[]>();
  const boundUnread = unreadBound(unreadBytes);
  server.on('connection', connectionBound(connections));
  let draining = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    unused.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  if (tls === undefined) server.on('connection', keep);
  else {
    server.on('secureConnection', (socket: Socket) => {
      keep(socket);
      if (draining) socket.destroy();
    });
  }
  /** Cuts a connection without a request in progress, even if it has sent part of a request's head. */
  const cutIdle = (socket: Socket): void => {
    if (!requests.has(socket)) socket.destroy();
  };
  const forget = (socket: Socket, held: number): void => {
    requests.delete(socket);
    countHeld(-held);
  };
  const answer = (handle: RequestListener, req: IncomingMessage, res: ServerResponse): void => {
    const { socket } = req;
    const queue = requests.get(socket) ?? [];
    // The connection may already be cut, with this request left over from before.
    if (socket.destroyed || !mayFollow(queue.length)) {
      cutOff(socket);
      return;
    }
    boundRequest(req);
    closeIfUnread(req, res);
    const begin = (): void => {
      res.once('prefinish', () => boundUnread([req]));
      res.once('close', () => {
        queue.shift();
        const [next] = queue;
        // After an answer that closes the connection, the next one could not be sent.
        if (next !== undefined && socket.writable) {
          countHeld(-1);
          next.begin();
          return;
        }
        forget(socket, queue.length);
        if (draining) cutIdle(socket);
      });
      believeProxies(req, isProxy);
      if (isUnambiguous(req)) handle(req, res);
      else refuse(res, 400);
    };
    if (draining) res.setHeader('Connection', 'close');
    requests.set(socket, queue);
    if (queue.push({ res, begin }) > 1) {
      countHeld(1);
      return;
    }
    if (!unused.delete(socket)) {
      begin();
      return;
    }
    // By the second turn Node has read whether the client left, or ended its side, while it waited to be accepted; it
    // would get no answer. Otherwise clients that connect and leave would keep all new connections waiting for longer.
    setImmediate(() => {
      setImmediate(() => {
        if (socket.readable) begin();
        else forget(socket, queue.length - 1);
      });
    });
  };
  const answerIn = (event: string, handle: RequestListener): void => {
    server.on(event, (req: IncomingMessage, res: ServerResponse) => answer(handle, req, res));
  };
  answerIn('request', handler);
  // Without a listener, Node would answer these itself, uncounted.
  answerIn('checkExpectation', (_req, res) => refuse(res, 417));
  if (largeBodies) answerIn('checkContinue', handler);
  // Called when no bytes were transferred for a while. After a partial write, Node waits twice as long before it calls
  // this.
  server.setTimeout(stallMs / 2, (socket: Socket) => {
    // The client may be waiting for a slow answer.
    if (requests.has(socket) && socket.writableLength === 0) socket.setTimeout(stallMs / 2);
    else socket.destroy();
  });

  if ('socketPath' in where) await clearStaleSocket(where.socketPath);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.once('listening', resolve);
  server.listen({ ...('socketPath' in where ? { path: where.socketPath } : where), backlog });
  await promise;
  server.off('error', reject);
  if ('socketPath' in where) chmodSync(where.socketPath, 0o600);

  // Checked at intervals, because an answer written only as fast as it is read never finishes if nobody reads it.
  function* underWay() {
    for (const [first] of requests.values()) if (first !== undefined) yield first.res.req;
  }
  const looking = setInterval(() => boundUnread(underWay()), lookMs).unref();
  server.once('close', () => clearInterval(looking));

  const { address, port } = place(server, tls !== undefined);
  let ended: Promise<void> | undefined;
  return {
    /** The actual address: `http://127.0.0.1:9200`, `https://…`, or `unix:/path`. */
    address,
    /** The TCP port, or 0 for a Unix socket. */
    port,
    server,
    /**
     * Stops accepting, lets requests in progress finish, and resolves when all connections are closed.
     * @param deadlineMs after which the remaining connections are cut, in milliseconds
     */
    drain(deadlineMs: number): Promise<void> {
      ended ??= (async () => {
        draining = true;
        const closed = Promise.withResolvers<void>();
        // Node would cut connections whose answers have ended but are not yet sent.
        server.closeIdleConnections = () => undefined;
        server.close(() => closed.resolve());
        // Of pipelined requests, the last answer closes the connection.
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

/** A request, and a function that starts it in its turn. */
interface Waiting {
  readonly res: ServerResponse;
  begin(): void;
}

/** Only connections with at least this many unread bytes count. */
const heavy = 16 * 1024;
/** How often answers in progress are checked, in milliseconds. */
const lookMs = 250;
/**
 * Connections that wait to be accepted, unless the system allows fewer. If they are more, the system drops the next,
 * whose clients try again after one and three seconds.
 */
const backlog = 4096;

/**
 * Limits the unread bytes of answers, with what answers in parts keep while they wait. When they exceed `most`, cuts
 * connections of the network that holds the most, beginning with the one that has held on longest.
 * @param most in bytes
 * @returns a function that checks the connections of the given requests together with those already known
 */
function unreadBound(most: number): (answered: Iterable<IncomingMessage>) => void {
  /** Connections and the networks of their clients, those that have held on longest first. */
  const holders = new Map<Socket, string>();
  return (answered) => {
    for (const req of answered)
      if (unreadOf(req.socket) >= heavy && !holders.has(req.socket))
        holders.set(req.socket, networkOf(clientAddress(req) ?? ''));
    let total = 0;
    const ofNetwork = new Map<string, number>();
    for (const [socket, network] of holders) {
      const unread = unreadOf(socket);
      if (socket.destroyed || unread < heavy) holders.delete(socket);
      else {
        total += unread;
        ofNetwork.set(network, (ofNetwork.get(network) ?? 0) + unread);
      }
    }
    while (total > most) {
      const [[largest, held] = []] = [...ofNetwork].toSorted(([, one], [, other]) => other - one);
      const [oldest] = [...holders].find(([, network]) => network === largest) ?? [];
      if (largest === undefined || oldest === undefined) return;
      total -= unreadOf(oldest);
      ofNetwork.set(largest, (held ?? 0) - unreadOf(oldest));
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

/** Removes the socket file of a dead server; leaves a living one's, so that listening fails. */
async function clearStaleSocket(path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = connect(path);
  probe.once('connect', () => resolve(false));
  probe.once('error', (error) => resolve(errorCode(error) === 'ECONNREFUSED'));
  const stale = await promise;
  probe.destroy();
  if (stale) unlinkSync(path);
}
