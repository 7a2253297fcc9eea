import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A stretch of network between two servers, which can be cut. */
export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** Connections that were accepted since the start. */
  readonly accepted: number;
  /** Breaks what is connected; what connects next passes. */
  cut(): void;
  /** Breaks the connection that carries them once this many bytes more have come from the server. */
  cutAfter(bytes: number): void;
  /** Nothing passes any more, of old connections and new ones, and none of them ends. */
  hold(): void;
  /** New connections pass again. */
  pass(): void;
}

/** @param to port of the server behind, on loopback */
export async function openRelay(to: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let accepted = 0;
  let isHeld = false;
  let left = Number.POSITIVE_INFINITY;

  const server = createServer((client) => {
    accepted += 1;
    const upstream = connect(to, '127.0.0.1');
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      pairs.delete(pair);
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    if (isHeld) return;
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      const part = bytes.subarray(0, left);
      left -= part.length;
      if (!client.write(part)) upstream.pause();
      if (left > 0) return;
      left = Number.POSITIVE_INFINITY;
      upstream.destroy();
      client.destroySoon();
    });
    client.on('drain', () => upstream.resume());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const [client] of pairs) client.destroy();
  };

  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted;
    },
    cut,
    cutAfter(bytes) {
      left = bytes;
    },
    hold() {
      isHeld = true;
      for (const pair of pairs) {
        for (const socket of pair) {
          socket.unpipe();
          socket.removeAllListeners('data');
          socket.pause();
        }
      }
    },
    pass() {
      isHeld = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
