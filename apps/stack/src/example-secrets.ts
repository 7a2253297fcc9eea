import { randomBytes } from 'node:crypto';
import { signIn } from './access-client.ts';
import type { Item } from './access-client.ts';
import { signInToSecrets } from './secrets-client.ts';
import type { SecretsClient } from './secrets-client.ts';

/** The services of an environment, and the account that creates the example. */
export interface ExampleParts {
  /** The environment's ID. */
  readonly environment: string;
  readonly accessUrl: string;
  readonly secretsUrl: string;
  readonly loginName: string;
  readonly password: string;
}

/** The project of every new controller. */
const project = 'p_1234567890';

/**
 * The policy that a controller needs at a secrets server to keep a token and leases alive.
 * @param readable the paths that it may read
 */
function controllerPolicy(readable: readonly string[]): string {
  return `# The access controller: it keeps its token and what it issued for sessions…
path "auth/token/lookup-self" { capabilities = ["read"] }
path "auth/token/renew-self" { capabilities = ["update"] }
path "auth/token/revoke-self" { capabilities = ["update"] }
path "sys/leases/renew" { capabilities = ["update"] }
path "sys/leases/revoke" { capabilities = ["update"] }
path "sys/capabilities-self" { capabilities = ["update"] }

# …and reads the credentials for users who open a session.
${readable.map((path) => `path "${path}" { capabilities = ["read"] }\n`).join('')}`;
}

/**
 * Creates a token for a credential store: an orphan that lives as long as it is renewed.
 * @param period such as `768h`
 * @param readable the paths of the secrets server that it may read
 */
export async function controllerToken(
  secrets: SecretsClient,
  period: string,
  ...readable: readonly string[]
): Promise<string> {
  await secrets.write('sys/policies/acl/access-controller', { policy: controllerPolicy(readable) });
  return secrets.createToken({
    policies: ['access-controller'],
    display_name: 'access-controller',
    no_parent: true,
    period,
    renewable: true,
  });
}

/**
 * Creates an example of how the services work together: a secret, a credential store with a library that reads it,
 * and a target that brokers it.
 * @returns the target
 * @throws Error naming the request and the answer if a service refuses a request
 */
export async function createExample(parts: ExampleParts): Promise<Item> {
  const { accessUrl, secretsUrl, loginName, password } = parts;
  const secrets = await signInToSecrets(secretsUrl, loginName, password);
  await secrets.write('secret/data/databases/orders', {
    data: { username: 'orders_app', password: randomBytes(18).toString('base64url') },
  });
  // A console that isn't started for a month needs a new token.
  const token = await controllerToken(secrets, '768h', 'secret/data/databases/*');
  const access = await signIn(accessUrl, loginName, password);
  const store = await access.create('credential-stores', {
    scope_id: project,
    type: 'vault',
    name: 'Secrets server',
    description: "This installation's secrets server",
    attributes: { address: secretsUrl, token },
  });
  const library = await access.create('credential-libraries', {
    credential_store_id: store.id,
    type: 'vault-generic',
    name: 'Orders database',
    description: "The orders database's login, read when a session is authorized",
    credential_type: 'username_password',
    attributes: { path: 'secret/data/databases/orders' },
  });
  const target = await access.create('targets', {
    scope_id: project,
    type: 'tcp',
    name: 'Orders database',
    description: 'An example: its credential comes from the secrets server',
    address: '127.0.0.1',
    attributes: { default_port: 5432 },
  });
  return access.act('targets', target.id, 'add-credential-sources', target.version, {
    brokered_credential_source_ids: [library.id],
  });
}
