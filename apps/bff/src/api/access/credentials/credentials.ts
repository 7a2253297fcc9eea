import type {
  CredentialSourceChoice,
  CredentialStore,
} from '@gatehouse/api-types/console/credential-sources';
import { resource, type Operation } from '#operation/operation.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentials, credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { inAccess, accessCaller } from '../caller.ts';
import { collectionOperations, harmOfSecrets, updateRecord } from '../records.ts';
import { byName, choices, containerLimit, usualLimit, type Named } from '../source-choices.ts';

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

export const credentialOperations = resource(inAccess, {
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
