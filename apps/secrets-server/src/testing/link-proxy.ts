import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network that can be cut, in front of one port. */
export interface LinkProxy extends AsyncDisposable {
  /** `host:port` that others connect to. */
  readonly address: string;
  /** Connections that came since the start. */
  readonly accepted: number;
  /** Ends what is connected; who connects again gets through. */
  drop(): void;
  /** The same, as soon as this many bytes more have passed to who connected. */
  dropAfter(bytes: number): void;
  /** Ends what is connected and lets nobody through until `heal`. */
  cut(): void;
  /** The same, as soon as this many bytes more have passed to who connected. */
  cutAfter(bytes: number): void;
  /** Lets nothing through until `heal`, and ends nothing: what is connected then stays silent for good. */
  hold(): void;
  heal(): void;
  /** Milliseconds between one piece of what passes to who connected and the next; 0 at first. */
  paceMs: number;
}

/** Passes on what comes to a port of its own. @param port of loopback, asked for each connection */
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
