import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy in front of a port that can interrupt the connection. */
export interface LinkProxy extends AsyncDisposable {
  /** The proxy's `host:port`. */
  readonly address: string;
  /** The number of connections accepted since the start. */
  readonly accepted: number;
  /** Closes all connections; new ones are accepted. */
  drop(): void;
  /** Like `drop`, after this many more bytes were sent to clients. */
  dropAfter(bytes: number): void;
  /** Closes all connections and accepts none until `heal`. */
  cut(): void;
  /** Like `cut`, after this many more bytes were sent to clients. */
  cutAfter(bytes: number): void;
  /** Forwards nothing until `heal` without closing connections; those that are open now stay silent permanently. */
  hold(): void;
  heal(): void;
  /** The pause between pieces sent to clients, in milliseconds; 0 initially. */
  paceMs: number;
}

/** Starts a proxy on a free port. @param port returns the loopback port for each connection */
export async function linkProxy(port: () => number): Promise<LinkProxy> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let isCut = false;
  let isHeld = false;
  let left = Number.POSITIVE_INFINITY;
  let endsInCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    accepted += 1;
    keep(client);
    if (isCut) {
      client.destroy();
      return;
    }
    if (isHeld) return;
    const upstream = connect({ host: '127.0.0.1', port: port() });
    keep(upstream);
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, left);
      left -= part.length;
      if (!client.write(part)) upstream.pause();
      if (self.paceMs > 0) {
        upstream.pause();
        setTimeout(() => upstream.resume(), self.paceMs);
      }
      if (left > 0) return;
      left = Number.POSITIVE_INFINITY;
      isCut = endsInCut;
      client.destroySoon();
    });
    client.on('drain', () => upstream.resume());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroySoon());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const self: LinkProxy = {
    paceMs: 0,
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get accepted() {
      return accepted;
    },
    drop,
    dropAfter(bytes) {
      left = bytes;
      endsInCut = false;
    },
    cutAfter(bytes) {
      left = bytes;
      endsInCut = true;
    },
    cut() {
      isCut = true;
      drop();
    },
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.unpipe().removeAllListeners('data').pause();
    },
    heal() {
      isCut = false;
      isHeld = false;
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}
