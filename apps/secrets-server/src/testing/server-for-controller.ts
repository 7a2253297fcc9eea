import type { Client, Wire } from './client.ts';
import { as, tokenWith } from './people.ts';
import { startServer } from './server.ts';
import type { TestServer } from './server.ts';

/** The period of the controller's token in seconds. */
export const tokenPeriod = 3600;

/** The policy of an access controller's token. */
export const controllerPolicy = `
path "sys/leases/renew" { capabilities = ["update"] }
path "sys/leases/revoke" { capabilities = ["update"] }
path "secret/data/databases/*" { capabilities = ["read"] }
path "secret/data/gone" { capabilities = ["read"] }`;

/** A server for an access controller, whose token may read `databases/orders` but not `hidden`. */
export interface ServerForController extends TestServer {
  readonly admin: Client;
  /** Creates a token for the controller. @param fields that differ from those of a usual token */
  newToken(fields?: Wire): Promise<string>;
}

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
