import type {
  CredentialSourceChoice,
  CredentialStore,
} from '@gatehouse/api-types/console/credential-sources';
import type { HostSourceChoice } from '@gatehouse/api-types/console/host-sources';
import type { Operation } from '#operation/operation.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { allOf, type Collection, type StoredRecord } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentials, credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { anyHolds } from '#upstreams/access-controller/filter-text.ts';
import { hostCatalogs, hostSets } from '#upstreams/access-controller/host-sources.ts';
import { accessCaller } from './caller.ts';

/** Sources that a search answers unless it asks for another number. */
const usualLimit = 100;
/** Catalogs or stores of one project that are looked through. */
const containerLimit = 1_000;
/** Containers that are looked through at the same time. */
const atOnce = 8;

export const searchHostSources: Operation<'searchHostSources'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const { scope_id, search = '', limit = usualLimit } = call.query;
  const catalogs = await allOf(hostCatalogs, caller, { scope_id }, containerLimit);
  return choices(caller, catalogs, hostSets, {
    search,
    limit,
    toChoice: (set, catalog): HostSourceChoice => ({
      id: set.id,
      name: set.name,
      description: set.description,
      host_catalog_id: catalog.id,
      host_catalog_name: catalog.name,
      host_count: set.host_ids.length,
    }),
  });
};

export const searchCredentialSources: Operation<'searchCredentialSources'> = async (context, call) => {
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
  return { items: items.slice(0, limit), more: stored.more || issued.more || items.length > limit };
};

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

interface Named extends StoredRecord {
  readonly name: string;
  readonly description: string;
}

interface Search<Item, Container, Choice> {
  readonly search: string;
  readonly limit: number;
  readonly toChoice: (item: Item, container: Container) => Choice;
}

/** What containers hold, as far as it has the text; one more than is asked for tells that there are more. */
async function choices<Container extends Named, Item extends Named, Choice extends HasName>(
  caller: AccessCaller,
  containers: readonly Container[],
  items: Collection<Item, never, never>,
  { search, limit, toChoice }: Search<Item, Container, Choice>,
): Promise<{ items: Choice[]; more: boolean }> {
  const open = [...containers];
  const text = search.trim();
  const filter = text === '' ? undefined : anyHolds(['name', 'description', 'id'], text);
  const found: Choice[] = [];
  const worker = async (): Promise<void> => {
    for (let container = open.pop(); container !== undefined; container = open.pop()) {
      const place = { [items.container]: container.id, filter };
      for (const item of await allOf(items, caller, place, limit + 1)) found.push(toChoice(item, container));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  found.sort(byName);
  return { items: found.slice(0, limit), more: found.length > limit };
}

interface HasName {
  readonly id: string;
  readonly name: string;
}

function byName(a: HasName, b: HasName): number {
  return a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
}
