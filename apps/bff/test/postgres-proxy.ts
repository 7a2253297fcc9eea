import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';

/** A proxy between a console and PostgreSQL that breaks connections or stops them. */
export interface PostgresProxy extends AsyncDisposable {
  /** The database's address through the proxy. */
  readonly url: string;
  /** Returns whether the connection breaks instead of passing this statement; never unless set. */
  breaks: (sql: string) => boolean;
  /**
   * Returns whether the connection stops from this statement on, as if its console were suspended; never unless set.
   */
  stops: (sql: string) => boolean;
  /** Returns what a statement waits for before it passes; nothing unless set. */
  holds: (sql: string) => Promise<void> | undefined;
  /**
   * Returns what a statement waits for before it passes, if the connection breaks at once, so that its answer is lost;
   * nothing unless set.
   */
  loses: (sql: string) => Promise<void> | undefined;
}

/** @param databaseUrl on a Unix socket, like that of `startPostgres` */
export async function postgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const folder = temporaryFolder();
  const address = new URL(databaseUrl.replace('@/', '@localhost/'));
  const there = join(address.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(there);
    let isLost = false;
    const end = (): void => {
      client.destroy();
      if (!isLost) database.destroy();
    };
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    let isStill = false;
    client.on('data', (bytes) => {
      // A statement's text is a string that ends with a zero byte.
      const [sql] =
        /(?:insert into|update|delete from|select) [^\0]*|COMMIT(?=\0$)/i.exec(bytes.toString('latin1')) ??
        [];
      isStill ||= sql !== undefined && proxy.stops(sql);
      if (isStill) return;
      if (sql !== undefined && proxy.breaks(sql)) {
        end();
        return;
      }
      const lost = sql === undefined ? undefined : proxy.loses(sql);
      if (lost !== undefined) {
        isLost = true;
        client.destroy();
        database.on('data', () => database.destroy());
        void lost.then(() => database.write(bytes));
        return;
      }
      const held = sql === undefined ? undefined : proxy.holds(sql);
      if (held !== undefined) {
        database.cork();
        void held.then(() => database.uncork());
      }
      database.write(bytes);
    });
    database.pipe(client);
  });
  await new Promise<void>((resolve) => {
    server.listen(join(folder.path, '.s.PGSQL.5432'), resolve);
  });
  const proxy: PostgresProxy = {
    url: databaseUrl.replace(/host=[^&]+/, `host=${encodeURIComponent(folder.path)}`),
    breaks: () => false,
    stops: () => false,
    holds: () => undefined,
    loses: () => undefined,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      folder[Symbol.dispose]();
    },
  };
  return proxy;
}
