import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Metered } from './processes.ts';

/** One request of a closed loop: what connection `slot` sends next. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** ASCII. */
  readonly body?: string;
}

/** Says what to send next, and is told what came back. */
export interface Work {
  readonly next: (slot: number) => Request;
  readonly answered: (slot: number) => void;
}

export interface LoadOptions {
  /** What the work is sent to: an origin of HTTP. */
  readonly origin: string;
  readonly work: Work;
  /** Requests under way at once, each on a connection of its own. */
  readonly connections: number;
  /** When it ends, unless `requests` says. */
  readonly seconds?: number;
  /** How many to send in all. */
  readonly requests?: number;
  /** Whose CPU time is counted. */
  readonly server?: Metered | undefined;
}

/** What came of a load. */
export interface Rate {
  /** Requests per second. */
  readonly perSecond: number;
  /** Microseconds of the server's CPU time for each request; NaN of a server that does not tell. */
  readonly cpuEach: number;
}

/**
 * Keeps every connection busy for a while: one request at a time on each. Written on bare sockets, for what it takes of
 * the machine is taken from the server: it costs a quarter of what an HTTP client does.
 * @throws Error at the first answer that is not 200
 */
export async function load(options: LoadOptions): Promise<Rate> {
  const { origin, work, connections, server, seconds = Infinity, requests = Infinity } = options;
  const { hostname, port, host } = new URL(origin);
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const cpuBefore = await server?.cpuTime();
  const started = performance.now();
  const end = started + seconds * 1000;
  let begun = 0;
  const mayBegin = (): boolean => performance.now() < end && begun++ < requests;
  let done = 0;
  try {
    await Promise.all(
      sockets.map((socket, slot) =>
        loop(socket, {
          next: () => (mayBegin() ? requestText(host, work.next(slot)) : undefined),
          answered() {
            work.answered(slot);
            done += 1;
          },
        }),
      ),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const perSecond = done / ((performance.now() - started) / 1000);
  const cpuAfter = await server?.cpuTime();
  return { perSecond, cpuEach: ((cpuAfter ?? Number.NaN) - (cpuBefore ?? Number.NaN)) / done };
}

interface Turn {
  /** Text of the next request; undefined at the end. */
  readonly next: () => string | undefined;
  readonly answered: () => void;
}

function loop(socket: Socket, { next, answered }: Turn): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let sent = '';
  const send = (): void => {
    const text = next();
    if (text === undefined) {
      resolve();
      return;
    }
    sent = text;
    socket.write(text, 'latin1');
  };
  const refuse = (why: string): void => reject(new Error(`${sent.slice(0, sent.indexOf('\r\n'))}: ${why}`));
  let received: Buffer | undefined;
  socket.on('data', (chunk: Buffer) => {
    const bytes = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const length = answerLength(bytes);
    if (length === undefined || length > bytes.length) {
      received = bytes;
      return;
    }
    received = undefined;
    if (bytes.toString('latin1', 9, 12) !== '200' || Number.isNaN(length)) {
      refuse(`answered ${bytes.toString('latin1', 0, 1000)}`);
      return;
    }
    answered();
    send();
  });
  socket.once('error', (error) => refuse(error.message));
  socket.once('close', () => refuse('the connection was closed'));
  send();
  return promise;
}

const endOfHead = Buffer.from('\r\n\r\n');
const lengthHeader = /^content-length: *(\d+)/im;

/** Bytes of the answer that begins here; undefined while its head is not complete, NaN when it does not tell. */
function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(endOfHead);
  if (end === -1) return undefined;
  const length = lengthHeader.exec(bytes.toString('latin1', 0, end))?.[1];
  return end + endOfHead.length + Number(length);
}

function requestText(host: string, { method, path, headers, body = '' }: Request): string {
  let head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n`;
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
  if (method !== 'GET') head += `Content-Length: ${body.length}\r\n`;
  return `${head}\r\n${body}`;
}
