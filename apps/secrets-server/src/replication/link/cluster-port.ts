import { createSecureServer } from 'node:http2';
import type { Http2SecureServer, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Code, ConnectError, createConnectRouter, createContextValues } from '@connectrpc/connect';
import { largeTurns, requestBounds } from '@gatehouse/service-kit/body-turns';
import { connectionBound } from '@gatehouse/service-kit/connection-bound';
import { handshakesInTurns } from '@gatehouse/service-kit/handshake-turns';
import { turnsByKey } from '@gatehouse/service-kit/turns';
import { peerKey } from './admission.ts';
import { issueServerCertificate, secondaryIdOf } from './certificates.ts';
import { drainDefaultMs, heartbeatDefaultMs, mostRequestBytes, sessionMegabytes } from './limits.ts';
import { Replication } from './replication.gen.ts';
import { respond } from './respond.ts';
import { replicationService } from './service.ts';
import type { ServeOptions, Serving } from './types.ts';

/** How long calls in progress may take to end when the port closes, in milliseconds. */
const graceMs = 500;
const handshakeMs = 10_000;
/**
 * The maximum number of concurrent calls per connection: the stream, a report, and forwarded writes, each of which may
 * be large.
 */
const mostCalls = 64;
/**
 * The receive window of a connection in bytes: all calls' windows, which are 64 KiB each. The client sends what the
 * window admits of its oldest call first, so with a smaller one, short calls would wait until the earlier ones are sent.
 */
const windowBytes = mostCalls * 64 * 1024;

/** Opens a primary's cluster port: gRPC for clients with a certificate of its authority. */
export async function openClusterPort(options: ServeOptions): Promise<Serving> {
  const { identity, store, heartbeatMs = heartbeatDefaultMs, drainMs = drainDefaultMs } = options;
  const service = replicationService({ ...options, heartbeatMs });
  const { roster } = service;
  const router = createConnectRouter({
    grpc: true,
    grpcWeb: false,
    connect: false,
    readMaxBytes: mostRequestBytes,
    // Compressing secrets together with data that others choose could reveal them, and replicated data is small.
    acceptCompression: [],
  }).service(Replication, service.implementation);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));

  const server = createSecureServer({
    ...(await issueServerCertificate(identity)),
    ca: identity.authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    handshakeTimeout: handshakeMs,
    maxSessionMemory: sessionMegabytes,
    settings: { enablePush: false, maxConcurrentStreams: mostCalls },
  });
  handshakesInTurns(server);
  const connections = connectionsOf(server, options.connections);
  const inTurn = largeCallTurns();
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    const close = (): void => {
      stream.destroy();
    };
    const id = secondaryOf(stream.session);
    const values = createContextValues().set(peerKey, { id, close });
    const isAdmitted = id !== undefined && options.book.get(id) !== undefined;
    void respond({ handlers, inTurn, stream, headers, values, isAdmitted, drainMs });
  });
  const stopAppend = store.onAppend(oncePerTurn(roster.notifyAll));
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  try {
    await options.prepare?.(port);
  } catch (error) {
    stopAppend();
    await connections.close();
    throw error;
  }
  connections.admit();
  // A connection could not be accepted; the existing ones continue.
  server.on('error', (error) => options.log.warn('cluster port', { error }));

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopAppend();
    roster.endAll(new ConnectError('the primary closes its cluster port', Code.Unavailable));
    await connections.close();
    await roster.settled();
  };
  return {
    port,
    secondaries: () => roster.states(),
    disconnect: (id) => service.disconnect(id),
    demote: () => service.demote(),
    announce: (promoting) => service.announce(promoting),
    close: () => (closing ??= close()),
  };
}

/** Turns of large calls, two of a secondary and eight in total at once. The secondary's owners take turns. */
function largeCallTurns(): ReturnType<typeof turnsByKey> {
  const ofAll = largeTurns({ mostOwn: Infinity, mostWaiting: Infinity });
  const ofOne = turnsByKey({ atOnce: 2, ...requestBounds });
  return (id, owner, work, signal) => ofOne(id, owner, () => ofAll(id, work, signal), signal);
}

/** The secondary's ID in a connection's certificate. */
function secondaryOf(session: Pick<ServerHttp2Session, 'socket'> | undefined): string | undefined {
  const socket = session?.socket;
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  return secondaryIdOf(socket.getPeerCertificate().subject?.CN);
}

/** Combines all notifications of one turn of the event loop. */
function oncePerTurn(listener: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      listener();
    });
  };
}

/** The default maximum number of connections. */
const connectionsDefault = 500;
/** The maximum number of connections per secondary: one to follow, one to ping, and some that broke unnoticed. */
const mostOwn = 4;

/** Tracks the connections so that the server can close in time. */
interface Connections {
  /** Accepts connections from now on; earlier ones were closed at once, and their clients retry. */
  admit(): void;
  close(): Promise<void>;
}

function connectionsOf(server: Http2SecureServer, most = connectionsDefault): Connections {
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  /** By secondary ID, oldest first. */
  const sessionsOf = new Map<string, Set<ServerHttp2Session>>();
  const countConnection = connectionBound(most);
  let isAdmitted = false;
  server.on('connection', (socket: Socket) => {
    if (!isAdmitted) {
      socket.destroy();
      return;
    }
    countConnection(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.setLocalWindowSize(windowBytes);
    const id = secondaryOf(session) ?? '';
    const own = sessionsOf.get(id) ?? new Set();
    sessionsOf.set(id, own.add(session));
    session.once('close', () => {
      sessions.delete(session);
      own.delete(session);
      if (own.size === 0 && sessionsOf.get(id) === own) sessionsOf.delete(id);
    });
    const [oldest] = own;
    if (oldest !== undefined && own.size > mostOwn) {
      // At once: it closes later, and others may have arrived by then.
      own.delete(oldest);
      oldest.destroy();
    }
  });
  return {
    admit() {
      isAdmitted = true;
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      await promise;
      clearTimeout(timer);
    },
  };
}

async function listening(server: Http2SecureServer, { host, port }: ServeOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ host, port }, resolve);
  await promise;
  server.off('error', reject);
}
