import { createServer, connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the proxy does to the answers that pass through it. */
export type Fault =
  | { readonly kind: 'none' }
  /** Closes every connection at once. */
  | { readonly kind: 'hang up' }
  /** Accepts and never answers. */
  | { readonly kind: 'silence' }
  /** Passes the request and this many bytes of the answer, then closes the connection. */
  | { readonly kind: 'cut'; readonly atByte: number }
  /** Passes the answer byte by byte, this many milliseconds apart. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Answers with bytes that are made from the seed. */
  | { readonly kind: 'garbage'; readonly seed: number };

/** A TCP proxy in front of a server, whose faults are changed while it runs. */
export interface FaultProxy {
  readonly port: number;
  fault: Fault;
  /** Cuts the next answer on any open connection after this many bytes; then it is undefined again. */
  cutNext: number | undefined;
  /** Told of the bytes of every request that passes. */
  onRequest?: (bytes: Buffer) => void;
  /** Connections accepted since the start. */
  accepted: number;
  /** Connections that are open. */
  open(): number;
  /** Closes the connections that are open; those that follow meet the fault. */
  drop(): void;
  close(): Promise<void>;
}

/** @param to port on loopback, or path of a socket, of the server behind */
export async function faultProxy(to: number | string): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
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
    if (fault.kind === 'garbage') {
      client.once('data', () => client.end(noise(fault.seed)));
      return;
    }
    const upstream = typeof to === 'number' ? connect(to, '127.0.0.1') : connect(to);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    client.on('data', (bytes: Buffer) => self.onRequest?.(bytes));
    client.pipe(upstream);
    if (fault.kind === 'none') {
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
      void drip(upstream, client, fault.everyMs);
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
    accepted: 0,
    open: () => sockets.size,
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

async function drip(from: Socket, to: Socket, everyMs: number): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (to.destroyed) return;
      to.write(Buffer.from([byte]));
      await sleep(everyMs);
    }
  }
}

/** A few hundred bytes by a linear congruential generator. */
function noise(seed: number): Buffer {
  let state = (seed >>> 0) + 1;
  return Buffer.from(
    Array.from({ length: 300 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}
