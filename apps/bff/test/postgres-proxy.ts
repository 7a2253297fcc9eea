import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';

/** Stands between a console and PostgreSQL, and breaks connections off, or lets them stand still. */
export interface PostgresProxy extends AsyncDisposable {
  /** The address of the database through it. */
  readonly url: string;
  /** Answers whether the connection breaks off instead of passing this statement on; none does unless set. */
  breaks: (sql: string) => boolean;
  /**
   * Answers whether the connection stands still from this statement on, as where its console is suspended; none does
   * unless set.
   */
  stops: (sql: string) => boolean;
  /** Answers what a statement waits for before it is passed on; none does unless set. */
  holds: (sql: string) => Promise<void> | undefined;
}

/** @param databaseUrl on a Unix socket, as of `startPostgres` */
export async function postgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const folder = temporaryFolder();
  const address = new URL(databaseUrl.replace('@/', '@localhost/'));
  const there = join(address.searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(there);
    const end = (): void => {
      client.destroy();
      database.destroy();
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
      // The text of a statement is a string that ends with a zero byte.
      const [sql] = /(?:insert into|update|delete from|select) [^\0]*/i.exec(bytes.toString('latin1')) ?? [];
      isStill ||= sql !== undefined && proxy.stops(sql);
      if (isStill) return;
      if (sql !== undefined && proxy.breaks(sql)) {
        end();
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
