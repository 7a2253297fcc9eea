import type { Client, Wire } from './client.ts';
import { as, tokenWith } from './people.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

/** Seconds that a token lasts unless it is renewed. */
export const tokenPeriod = 3600;

/** What an access controller's token may do. */
export const controllerPolicy = `
path "sys/leases/renew" { capabilities = ["update"] }
path "sys/leases/revoke" { capabilities = ["update"] }
path "secret/data/databases/*" { capabilities = ["read"] }
path "secret/data/gone" { capabilities = ["read"] }`;

/** A server that an access controller reads secrets of: it may read `databases/orders`, and may not read `hidden`. */
export interface ServerForController extends TestServer {
  readonly admin: Client;
  /** A token for the controller. @param fields what differs from one that it takes */
  newToken(fields?: Wire): Promise<string>;
}

/** Starts such a server. */
export async function startServerForController(): Promise<ServerForController> {
  const server = await startServer();
  const admin = await as(server, 'administrator');
  await admin.write('sys/policies/acl/controller', { policy: controllerPolicy });
  await admin.write('secret/data/databases/orders', {
    data: { username: 'orders', password: 'canary-password', port: 5432, nested: { user: 'deep' } },
  });
  await admin.write('secret/data/hidden', { data: { username: 'x', password: 'y' } });
  return {
    ...server,
    admin,
    newToken: (fields) =>
      tokenWith(admin, {
        policies: ['controller'],
        period: `${tokenPeriod}s`,
        no_parent: true,
        renewable: true,
        ...fields,
      }),
  };
}
