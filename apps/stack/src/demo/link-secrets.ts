import { signIn } from '../access-client.ts';
import { controllerToken } from '../example-secrets.ts';
import type { ExampleParts } from '../example-secrets.ts';
import { signInToSecrets } from '../secrets-client.ts';
import { idOf } from './history.ts';
import type { EstateIds } from './history.ts';

/** Secrets, and credentials of cloud roles, that targets hand to whoever opens a session. */
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
 * Has targets of the sample estate take credentials from the secrets server of their environment.
 * @throws Error naming request and answer when a service refuses one
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
      // What a cloud role issues is handed on as it comes.
      ...(path.startsWith('secret/') && { credential_type: 'username_password' }),
      attributes: { path },
    });
    const { id, version } = await access.read('targets', idOf(targets, target));
    await access.act('targets', id, 'add-credential-sources', version, {
      brokered_credential_source_ids: [library.id],
    });
  }
}
