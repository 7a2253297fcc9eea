import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { serverName } from './certificates.ts';
import { mostAnswerBytes, sessionMegabytes } from './limits.ts';
import { Replication } from './replication.gen.ts';
import type { SecondaryCredentials } from './types.ts';

/** An authenticated connection to a primary. */
export type Connection = Awaited<ReturnType<typeof connect>>;

/** The reason why a link could not be established or ended. */
export interface Failure {
  /** For users. */
  readonly why: string;
  /** Whether one side does not accept the other's identity, which waiting can't change. */
  readonly denied: boolean;
}

const followPath = `/${Replication.typeName}/${Replication.method.follow.name}`;

/** The HTTP/2 receive window in bytes, large enough to keep the link to a distant primary busy. */
const windowBytes = 2 ** 20;

interface ConnectOptions {
  /** The maximum size of a message in bytes; 64 MiB by default. */
  readonly mostBytes?: number;
  /** Called when bytes of the stream of entries arrive; a large message takes a while. */
  readonly onStreamed?: () => void;
}

/**
 * Connects to a primary and verifies by its certificate that it issued the credentials.
 * @param signal ends the attempt and the connection
 */
export async function connect(
  address: string,
  credentials: SecondaryCredentials,
  signal: AbortSignal,
  { mostBytes = mostAnswerBytes, onStreamed = () => undefined }: ConnectOptions = {},
) {
  const { origin } = new URL(`https://${address}`);
  signal.throwIfAborted();
  const session = connectHttp2(origin, {
    ca: credentials.authority,
    ...credentials.client,
    servername: serverName(credentials.primaryClusterId),
    minVersion: 'TLSv1.3',
    maxSessionMemory: sessionMegabytes,
    settings: { enablePush: false, initialWindowSize: windowBytes },
  });
  const ended = new AbortController();
  const close = (): void => session.destroy();
  signal.addEventListener('abort', close);
  session.once('close', () => {
    signal.removeEventListener('abort', close);
    ended.abort();
  });
  await connected(session);
  session.setLocalWindowSize(windowBytes);
  const transport = createGrpcTransport({
    baseUrl: origin,
    acceptCompression: [],
    readMaxBytes: mostBytes,
    // Each unknown field would be kept as a separate object.
    binaryOptions: { readUnknownFields: false },
    sessionManager: {
      authority: origin,
      request: async (method, path, headers, options) =>
        session.request({ ...headers, ':method': method, ':path': path }, options),
      notifyResponseByteRead(stream) {
        if (stream.sentHeaders[':path'] === followPath) onStreamed();
      },
    },
  });
  return {
    client: createClient(Replication, transport),
    /** Aborted when the connection ends. */
    ended: ended.signal,
    close,
  };
}

function connected(session: ClientHttp2Session): Promise<void> {
  return new Promise((resolve, reject) => {
    session.once('connect', () => resolve());
    // Later errors are reported by the end of the session.
    session.on('error', reject);
    session.once('close', () => reject(new Error('closed')));
  });
}

/** Explains an error of a connection or a call. */
export function failureOf(error: unknown, address: string): Failure {
  const code = codeOf(error);
  if (isDenial(error)) {
    const why = `The primary at ${address} refuses this cluster: it was revoked there, or its activation was used by another cluster.`;
    return { why, denied: true };
  }
  if (untrusted.test(code)) {
    const why = `The server at ${address} isn't this cluster's primary: it has a different certificate authority (${code}).`;
    return { why, denied: true };
  }
  if (refused.test(code)) {
    return {
      why: `The primary at ${address} doesn't accept this cluster's certificate (${code}).`,
      denied: true,
    };
  }
  if (error instanceof ConnectError && error.code === Code.Aborted) {
    return { why: `The primary at ${address} asked this cluster to reconnect.`, denied: false };
  }
  const why =
    code === ''
      ? `The connection to the primary at ${address} ended.`
      : `Can't reach the primary at ${address} (${code}).`;
  return { why, denied: false };
}

/** Whether the primary refuses this cluster. */
export function isDenial(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.PermissionDenied;
}

/** Node's codes for a server certificate that failed verification. */
const untrusted = /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_)/;
/** Codes for a client certificate that the peer refused. */
const refused = /^ERR_SSL_.*ALERT_(?:UNKNOWN_CA|CERTIFICATE|BAD_CERTIFICATE|ACCESS_DENIED)/;

/** The Node code of an error or of its causes. */
function codeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? codeOf(error.cause) : '');
}
