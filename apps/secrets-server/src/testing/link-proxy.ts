import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A network that can be cut, in front of one port. */
export interface LinkProxy extends AsyncDisposable {
  /** `host:port` that others connect to. */
  readonly address: string;
  /** Ends what is connected; who connects again gets through. */
  drop(): void;
  /** Ends what is connected and lets nobody through until `heal`. */
  cut(): void;
  heal(): void;
}

/** Passes on what comes to a port of its own. @param port of loopback, asked for each connection */
export async function linkProxy(port: () => number): Promise<LinkProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: '127.0.0.1', port: port() });
    keep(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    drop,
    cut() {
      isCut = true;
      drop();
    },
    heal() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      drop();
      server.close();
      await once(server, 'close');
    },
  };
}
