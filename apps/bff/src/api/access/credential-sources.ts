import type {
  CredentialSourceChoice,
  CredentialStore,
  CredentialStoreChanges,
} from '@gatehouse/api-types/console/credential-sources';
import { giveAgainWords, secretsToGiveAgain } from '@gatehouse/api-types/console/vault-store';
import { ProblemError } from '#ground/problem.ts';
import { resource, type Operation } from '#operation/operation.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import {
  credentials,
  credentialStores,
  noVaultAttributes,
} from '#upstreams/access-controller/credential-sources.ts';
import { inAccess, accessCaller } from './caller.ts';
import { collectionOperations, harmOfSecrets, updateRecord } from './records.ts';
import { secretLinks } from './secret-links.ts';
import { byName, choices, containerLimit, usualLimit, type Named } from './source-choices.ts';

const searchCredentialSources: Operation<'credentialSources.search'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const { scope_id, search = '', limit = usualLimit } = call.query;
  const stores = await allOf(credentialStores, caller, { scope_id }, containerLimit);
  const issuing = stores.filter(({ type }) => type === 'vault');
  const [stored, issued] = await Promise.all([
    choices(
      caller,
      stores.filter(({ type }) => type !== 'vault'),
      credentials,
      {
        search,
        limit,
        toChoice: (credential, store) => credentialChoice(credential, credential.type, store),
      },
    ),
    choices(caller, issuing, credentialLibraries, {
      search,
      limit,
      toChoice: (library, store) => credentialChoice(library, library.credential_type, store),
    }),
  ]);
  const items = [...stored.items, ...issued.items].sort(byName);
  const isCut = stores.length === containerLimit;
  return { items: items.slice(0, limit), more: isCut || stored.more || issued.more || items.length > limit };
};

const getCredentialLibrary: Operation<'credentialLibraries.get'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const library = await credentialLibraries.get(caller, call.params.id);
  return { ...library, ...(await secretLinks(context, call, caller)?.(library)) };
};

export const credentialSourceOperations = resource(inAccess, {
  ...collectionOperations('credentialStores', credentialStores),
  'credentialStores.update': updateRecord(credentialStores, { judge: giveSecretsAgain, harm: harmOfSecrets }),
  ...collectionOperations('credentialLibraries', credentialLibraries),
  'credentialLibraries.get': getCredentialLibrary,
  ...collectionOperations('credentials', credentials),
  'credentials.update': updateRecord(credentials, { harm: harmOfSecrets }),
  'credentialSources.search': searchCredentialSources,
});

function credentialChoice(
  item: Named,
  credentialType: string,
  store: CredentialStore,
): CredentialSourceChoice {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    credential_type: credentialType,
    credential_store_id: store.id,
    credential_store_name: store.name,
    credential_store_type: store.type,
  };
}

/**
 * A stored secret must not be sent to a changed destination. The embedded controller refuses such changes, but a
 * Boundary keeps the token of a store whose address changes and sends it to the new address.
 * @returns a check of changes against the stored record; undefined if they leave the connection alone
 * @throws ProblemError from the check: `invalid-request` for `attributes.token` and `attributes.client_certificate_key`
 */
function giveSecretsAgain({
  attributes,
}: CredentialStoreChanges): ((stored: CredentialStore) => void) | undefined {
  const { token: _, client_certificate_key: __, ...connection } = attributes ?? {};
  if (attributes === undefined || Object.keys(connection).length === 0) return undefined;
  return (stored) => {
    const needed = secretsToGiveAgain(stored.attributes ?? noVaultAttributes, attributes).filter(
      (name) => (attributes[name] ?? '').trim() === '',
    );
    if (needed.length === 0) return;
    throw new ProblemError('invalid-request', "Enter the store's secrets again to change its connection.", {
      fields: needed.map((name) => ({ path: `attributes.${name}`, message: giveAgainWords[name] })),
    });
  };
}
