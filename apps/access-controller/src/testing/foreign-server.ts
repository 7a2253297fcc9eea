import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server that accepts any token at first, and then fails like networks, gateways and servers of other kinds. */
export interface ForeignServer extends AsyncDisposable {
  readonly url: string;
  /** Uses `answer` for all further requests. */
  fail(answer: (req: IncomingMessage, res: ServerResponse) => void): void;
  /** Holds back the next answers. @returns a promise of the next request, and a function that sends the answers */
  hold(): { readonly asked: Promise<void>; readonly release: () => void };
  /** The lease IDs that were to be revoked. */
  readonly revoked: readonly string[];
  /** The durations in its answers, in seconds. */
  ttl: unknown;
}

interface Sent {
  readonly paths?: readonly string[];
  readonly lease_id?: string;
}

/** The answers that a store needs to accept a token. */
const answersWith = (ttl: unknown): Readonly<Record<string, (body: Sent) => unknown>> => ({
  '/v1/auth/token/lookup-self': () => ({ data: { renewable: true, orphan: true, period: ttl, ttl } }),
  '/v1/auth/token/renew-self': () => ({ auth: { lease_duration: ttl } }),
  '/v1/auth/token/revoke-self': () => ({}),
  '/v1/database/creds/app': () => ({
    lease_id: 'database/creds/app/1',
    lease_duration: ttl,
    renewable: true,
    data: { username: 'app', password: 'canary' },
  }),
  '/v1/sys/capabilities-self': ({ paths = [] }) => ({
    data: Object.fromEntries(paths.map((path) => [path, ['root']])),
  }),
  '/v1/sys/leases/revoke': () => ({}),
});

/** Starts such a server on a free port. @param tls serves https with these options */
export async function startForeignServer(tls?: ServerOptions): Promise<ForeignServer> {
  let instead: Parameters<ForeignServer['fail']>[0] | undefined;
  let held: Promise<void> | undefined;
  let onHeld: (() => void) | undefined;
  let ttl: unknown = 3600;
  const revoked: string[] = [];
  const handler = (req: IncomingMessage, res: ServerResponse): void => {
    if (instead !== undefined) {
      instead(req, res);
      return;
    }
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    const end = (): void => {
      const text = Buffer.concat(chunks).toString();
      const body = (text === '' ? {} : JSON.parse(text)) as Sent;
      const answer = answersWith(ttl)[req.url ?? '']?.(body);
      if (body.lease_id !== undefined) revoked.push(body.lease_id);
      res.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      res.end(JSON.stringify(answer ?? { errors: [] }));
    };
    req.on('end', () => {
      onHeld?.();
      if (held === undefined) end();
      else void held.then(end);
    });
  };
  const server = tls === undefined ? createServer(handler) : createTlsServer(tls, handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    fail(answer) {
      instead = answer;
    },
    revoked,
    get ttl() {
      return ttl;
    },
    set ttl(next) {
      ttl = next;
    },
    hold() {
      const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      [held, onHeld] = [released.promise, asked.resolve];
      return { asked: asked.promise, release: released.resolve };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
