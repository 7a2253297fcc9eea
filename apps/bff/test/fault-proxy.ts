import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the proxy does to passing answers. */
export type Fault =
  | { readonly kind: 'none' }
  /** Closes all connections immediately. */
  | { readonly kind: 'hang up' }
  /** Accepts connections and never answers. */
  | { readonly kind: 'silence' }
  /** Passes the request and this many bytes of the answer, then closes the connection. */
  | { readonly kind: 'cut'; readonly atByte: number }
  /** Passes the answer byte by byte, this many milliseconds apart. */
  /** One byte at a time, or `bytes`. */
  | { readonly kind: 'drip'; readonly everyMs: number; readonly bytes?: number }
  /** Answers with random bytes from the seed. */
  | { readonly kind: 'garbage'; readonly seed: number }
  /** Answers with these bytes, like something in front of the server. */
  | { readonly kind: 'answer'; readonly text: string };

/** Answers every request with this status, these headers and `{}`. */
export function answering(status: number, headers: Readonly<Record<string, string>> = {}): Fault {
  const all = { 'content-type': 'application/json', 'content-length': '2', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { kind: 'answer', text: `HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n{}` };
}

/** What happens to a passing file: its connection closes, no more files pass, or one byte is changed. */
export type BodyFault = 'cut' | 'hold' | 'flip';

interface PlannedFault {
  readonly how: BodyFault;
  /** Bytes of the body that pass before. */
  readonly at: number;
  readonly met: () => void;
}

/** A TCP proxy in front of a server, whose faults can be changed while it runs. */
export interface FaultProxy {
  readonly port: number;
  fault: Fault;
  /** Cuts the next answer on any open connection after this many bytes, and becomes undefined then. */
  cutNext: number | undefined;
  /**
   * Applies a fault to a request that carries a file (a PATCH, or a PUT to /upload/), at one byte of its body: to the
   * next such request, or the one after those planned before, if it is long enough. A request that ended earlier leaves
   * its fault to the next.
   * @param at bytes of the body that pass before; at most its length, less for `flip`
   * @returns when it has happened
   */
  meetBody(at: number, how: BodyFault): Promise<void>;
  /** After a hold: files sent from now on pass. */
  passBodies(): void;
  /** Loses the answer to the next request that contains this text, and all later answers until `fault` is set. */
  losesFrom: string | undefined;
  /** Receives the bytes of each passing request. Those of its connection wait for a promise that it returns. */
  onRequest?: (bytes: Buffer) => unknown;
  /** Connections accepted since the start. */
  accepted: number;
  /** Open connections. */
  open(): number;
  /** Closes the open connections. Later ones meet the fault. */
  drop(): void;
  close(): Promise<void>;
}

/** @param to port on loopback, or socket path, of the server */
export async function faultProxy(to: number | string): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  const planned: PlannedFault[] = [];
  let isHolding = false;
  const server = createServer({ allowHalfOpen: false }, (client) => {
    self.accepted += 1;
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => client.destroy());
    const { fault } = self;
    if (fault.kind === 'hang up') {
      client.destroy();
      return;
    }
    if (fault.kind === 'silence') {
      client.resume();
      return;
    }
    if (fault.kind === 'garbage' || fault.kind === 'answer') {
      client.once('data', () => client.end(fault.kind === 'answer' ? fault.text : noise(fault.seed)));
      return;
    }
    const upstream = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes: Buffer) => {
      if (self.losesFrom !== undefined && bytes.includes(self.losesFrom)) {
        self.losesFrom = undefined;
        self.cutNext = 0;
        self.fault = { kind: 'cut', atByte: 0 };
        for (const other of sockets) if (other !== client) other.destroy();
      }
      const waiting = self.onRequest?.(bytes);
      if (!(waiting instanceof Promise)) return;
      upstream.cork();
      void waiting.finally(() => upstream.uncork());
    });
    passRequests(client, upstream, {
      isHolding: () => isHolding,
      hold: () => (isHolding = true),
      planned,
    });
    if (fault.kind === 'none') {
      // If the server's connection closes, so does the client's.
      upstream.on('close', () => client.destroySoon());
      upstream.on('data', (chunk: Buffer) => {
        const { cutNext } = self;
        if (cutNext === undefined) {
          client.write(chunk);
          return;
        }
        self.cutNext = undefined;
        client.write(chunk.subarray(0, cutNext));
        client.destroySoon();
      });
    } else if (fault.kind === 'cut') {
      let left = fault.atByte;
      upstream.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (part.length > 0) client.write(part);
        if (left === 0) client.destroySoon();
      });
    } else {
      void drip(upstream, client, fault.everyMs, fault.bytes);
    }
  });
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => {
    server.once('listening', resolve);
  });
  const self: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    fault: { kind: 'none' },
    cutNext: undefined,
    losesFrom: undefined,
    accepted: 0,
    open: () => sockets.size,
    meetBody(at, how) {
      const { promise, resolve } = Promise.withResolvers<void>();
      planned.push({ how, at, met: resolve });
      return promise;
    },
    passBodies() {
      isHolding = false;
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  return self;
}

function carriesFile(bytes: Buffer): boolean {
  return /^(?:PATCH |PUT \/upload\/)/.test(bytes.toString('latin1', 0, 16));
}

/** State that connections share. */
interface Holding {
  readonly isHolding: () => boolean;
  readonly hold: () => void;
  /** Faults of future requests. */
  readonly planned: PlannedFault[];
}

/** Passes requests on, and applies planned faults to those with files. */
function passRequests(client: Socket, upstream: Socket, { isHolding, hold, planned }: Holding): void {
  let fault: PlannedFault | undefined;
  /** Bytes that pass before the fault. */
  let left = 0;
  let isHeld = false;
  const send = (bytes: Buffer): void => {
    if (upstream.write(bytes)) return;
    client.pause();
    upstream.once('drain', () => client.resume());
  };
  client.on('data', (bytes: Buffer) => {
    if (carriesFile(bytes)) {
      isHeld ||= isHolding();
      const headEnd = bytes.indexOf('\r\n\r\n') + 4;
      const length = Number(/^content-length: (\d+)/im.exec(bytes.toString('latin1', 0, headEnd))?.[1] ?? 0);
      const fitting = planned.findIndex(({ how, at }) => (how === 'flip' ? at < length : at <= length));
      if (!isHeld && fitting !== -1) [fault] = planned.splice(fitting, 1);
      left = (fault?.at ?? 0) + headEnd;
    }
    // Held bytes are accepted, so that a sender that gives up can be observed.
    if (isHeld) return;
    if (fault === undefined || (fault.how === 'flip' ? left >= bytes.length : left > bytes.length)) {
      left -= bytes.length;
      send(bytes);
      return;
    }
    const { how, met } = fault;
    fault = undefined;
    if (how === 'flip') {
      bytes[left] = ~(bytes[left] ?? 0) & 0xff;
      send(bytes);
      met();
      return;
    }
    isHeld = true;
    if (how === 'hold') hold();
    // The bytes before have left this process when the fault is reported.
    upstream.write(bytes.subarray(0, left), () => {
      if (how === 'cut') client.destroy();
      met();
    });
  });
  const leaveToNext = (): void => {
    if (fault !== undefined) planned.unshift(fault);
    fault = undefined;
  };
  client.on('end', () => upstream.end());
  client.on('close', leaveToNext);
  upstream.on('data', () => {
    leaveToNext();
    // Answered anyway, because later requests on this connection aren't held.
    if (isHeld) setImmediate(() => client.destroySoon());
  });
}

async function drip(from: Socket, to: Socket, everyMs: number, bytes = 1): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += bytes) {
      if (to.destroyed) return;
      to.write(chunk.subarray(at, at + bytes));
      await sleep(everyMs);
    }
  }
}

/** A few hundred bytes of a linear congruential generator. */
function noise(seed: number): Buffer {
  let state = (seed >>> 0) + 1;
  return Buffer.from(
    Array.from({ length: 300 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}
