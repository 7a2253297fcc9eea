import { signIn } from '../access-client.ts';
import { controllerToken } from '../example-secrets.ts';
import type { ExampleParts } from '../example-secrets.ts';
import { signInToSecrets } from '../secrets-client.ts';
import { idOf } from './history.ts';
import type { EstateIds } from './history.ts';

/** Secrets, and credentials of cloud roles, that targets broker in sessions. */
const links = [
  {
    target: 'postgres-1 eu-west',
    name: 'Orders database',
    path: 'secret/data/commerce/checkout/orders-db',
  },
  {
    target: 'postgres-2 eu-west',
    name: 'Orders database, replica',
    path: 'secret/data/commerce/checkout/orders-db',
  },
  {
    target: 'postgres-1 eu-west',
    name: 'Publishing artifacts',
    path: 'cloud/creds/artifact-publisher',
  },
] as const;

/**
 * Adds credentials from the environment's secrets server to targets of the sample estate.
 * @throws Error naming the request and the answer if a service refuses a request
 */
export async function linkSecrets(parts: ExampleParts, { projects, targets }: EstateIds): Promise<void> {
  const { accessUrl, secretsUrl, loginName, password } = parts;
  const secrets = await signInToSecrets(secretsUrl, loginName, password);
  const token = await controllerToken(secrets, '768h', 'secret/data/commerce/checkout/*', 'cloud/creds/*');
  const access = await signIn(accessUrl, loginName, password);
  const store = await access.create('credential-stores', {
    scope_id: idOf(projects, 'Checkout'),
    type: 'vault',
    name: 'Secrets server',
    description: 'Logins that the secrets server keeps for Checkout',
    attributes: { address: secretsUrl, token },
  });
  for (const { target, name, path } of links) {
    const library = await access.create('credential-libraries', {
      credential_store_id: store.id,
      type: 'vault-generic',
      name,
      description: 'Read when a session is authorized',
      // A cloud role's credentials have no type; they are brokered as issued.
      ...(path.startsWith('secret/') && { credential_type: 'username_password' }),
      attributes: { path },
    });
    const { id, version } = await access.read('targets', idOf(targets, target));
    await access.act('targets', id, 'add-credential-sources', version, {
      brokered_credential_source_ids: [library.id],
    });
  }
}
