import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback with scripted answers. */
export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The received requests. */
  readonly seen: IncomingMessage[];
  /** Number of opened connections. */
  connections: number;
  answer: RequestListener;
  /** Forgets the received requests, and answers `{"fine":true}`. */
  reset(): void;
}

/** @param server an https server; http unless given */
export async function startAnswering(server: Server = createServer()): Promise<AnsweringServer> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const self: AnsweringServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    seen: [],
    connections: 0,
    answer: (_req, res) => void res.end(),
    reset() {
      self.seen.length = 0;
      self.connections = 0;
      self.answer = (_req, res) => json(res, { fine: true });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  server.on('connection', () => self.connections++);
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    self.seen.push(req);
    self.answer(req, res);
  });
  return self;
}

export function json(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers paths, without their queries, with JSON; 404 with HTML for others. */
export function answeringPaths(paths: Readonly<Record<string, unknown>>): RequestListener {
  return (req, res) => {
    const { pathname } = new URL(req.url ?? '/', 'http://localhost');
    if (Object.hasOwn(paths, pathname)) json(res, paths[pathname]);
    else res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>canary</h1>');
  };
}

/** The error of a call. @throws Error if it doesn't fail */
export async function failureOf(call: Promise<unknown> | (() => unknown)): Promise<Error> {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}
