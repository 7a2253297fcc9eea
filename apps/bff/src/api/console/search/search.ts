/** Searches the records of every service of an environment, as the person who asks. */
import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import type { Found, FoundKind, SearchLine } from '@gatehouse/api-types/console/search';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Slices } from '@gatehouse/service-kit/slices';
import { accessCaller } from '#api/access/caller.ts';
import { boxesCaller } from '#api/boxes/caller.ts';
import { mapInOrder } from '#api/concurrently.ts';
import { modulesCaller } from '#api/modules/caller.ts';
import { secretsCaller } from '#api/secrets/caller.ts';
import { listCloudMounts } from '#api/secrets/cloud-engines.ts';
import { secretsIn, walkFolders } from '#api/secrets/walk-folders.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, type Operation } from '#operation/operation.ts';
import type { AccessCaller } from '#upstreams/access-controller/client.ts';
import { allOf, type Collection, type StoredRecord } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentials, credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { anyHolds } from '#upstreams/access-controller/filter-text.ts';
import { hostCatalogs, hosts, hostSets } from '#upstreams/access-controller/host-sources.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { targets } from '#upstreams/access-controller/targets.ts';
import { readOwner, searchBoxes } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { listNamespaces, listOrganizations } from '#upstreams/box-registry/management.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import { searchModules } from '#upstreams/module-registry/modules.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { listRoles } from '#upstreams/secrets-server/cloud.ts';
import { listPlugins } from '#upstreams/secrets-server/plugins.ts';
import { listKeyValueMounts } from '#upstreams/secrets-server/system.ts';

/** Most records of one kind; a further word finds the others. */
const mostOfKind = 5;
/** Most catalogs, stores and cloud engines whose contents are searched. */
const mostContainers = 40;
/** How many of these are read concurrently. */
const atOnce = 8;
/** Most folders of secrets that are read. */
const mostFolders = 400;
/** Most owners whose unreleased boxes are searched. */
const mostOwners = 10;

/** What the search of some kinds found; `isPartial` if it stopped at a limit. */
interface Answer {
  readonly found: readonly Found[];
  readonly isPartial?: boolean;
}

/** What to search for: words in lower case. The work ends between two slices when the client has left. */
interface Wanted {
  readonly words: readonly string[];
  readonly slices: Slices;
  /** Catalogs and stores, each listed once for all searches of their contents. */
  readonly containers: Map<unknown, Promise<readonly StoredRecord[]>>;
}

/** Searches some kinds of records of one service. */
interface Search<Caller> {
  readonly what: readonly FoundKind[];
  readonly search: (caller: Caller, wanted: Wanted) => Promise<Answer>;
}

const find: Operation<'search.find'> = (context, call) => Promise.resolve(linesOf(context, call));

async function* linesOf(
  context: Context,
  call: Parameters<Operation<'search.find'>>[1],
): AsyncGenerator<SearchLine> {
  const wanted: Wanted = {
    words: call.query.text.toLowerCase().split(/\s+/u),
    slices: call.slices,
    containers: new Map(),
  };
  const waiting = new Set([
    ...begin('access', () => accessCaller(context, call), accessSearches, wanted),
    ...begin('secrets', () => secretsCaller(context, call), secretSearches, wanted),
    ...begin('boxes', () => boxesCaller(context, call), boxSearches, wanted),
    ...begin('modules', () => modulesCaller(context, call), moduleSearches, wanted),
  ]);
  while (waiting.size > 0) {
    const first = await Promise.race([...waiting].map(async (lines) => ({ lines, told: await lines })));
    waiting.delete(first.lines);
    yield* first.told;
  }
}

/** Begins the searches of one service. An error that the service answers becomes a line. */
function begin<Caller>(
  service: ServiceName,
  callerOf: () => Promise<Caller>,
  searches: readonly Search<Caller>[],
  wanted: Wanted,
): Promise<SearchLine[]>[] {
  const caller = callerOf();
  return searches.map(async ({ what, search }) => {
    const unsearched = (code: string): SearchLine => ({
      kind: 'unsearched',
      service,
      what: [...what],
      code,
    });
    try {
      const { found, isPartial = false } = await search(await caller, wanted);
      const some = found.slice(0, mostOfKind);
      return isPartial ? [...some, unsearched('too-many')] : some;
    } catch (error) {
      if (error instanceof ProblemError) return [unsearched(error.code)];
      throw error;
    }
  });
}

interface AccessRecord extends StoredRecord {
  readonly authorized_actions: readonly string[];
}

/** How records of one kind are searched at the controller and shown. */
interface AccessKind<Item extends StoredRecord> {
  readonly what: FoundKind;
  readonly records: Collection<Item, never, never>;
  /** The searched fields at the controller, besides the ID. */
  readonly fields: readonly string[];
  readonly show: (item: Item) => { readonly name: string; readonly detail: string };
}

/** Matches records that have every word in one of the fields. The longest word comes first, as fewest records have it. */
function filterOf({ fields }: { readonly fields: readonly string[] }, words: readonly string[]): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => `(${anyHolds(['id', ...fields], word)})`)
    .join(' and ');
}

function foundRecord<Item extends AccessRecord>(
  { what, show }: AccessKind<Item>,
  item: Item,
  within?: string,
): Found {
  const { name, detail } = show(item);
  return {
    kind: 'found',
    what,
    id: item.id,
    name: name === '' ? item.id : name,
    detail,
    ...(within !== undefined && { within }),
    authorized_actions: [...item.authorized_actions],
  };
}

/** Searches records that scopes contain. */
function inScopes<Item extends AccessRecord>(kind: AccessKind<Item>): Search<AccessCaller> {
  return {
    what: [kind.what],
    search: async (caller, { words }) => {
      const { items } = await kind.records.list(caller, {
        scope_id: 'global',
        recursive: true,
        page_size: mostOfKind,
        filter: filterOf(kind, words),
      });
      return { found: items.map((item) => foundRecord(kind, item)) };
    },
  };
}

/** Searches records that catalogs or stores contain, each of which has a list of its own. `type` is the type of those that can. */
function inContainers<Item extends AccessRecord, Container extends StoredRecord>(
  kind: AccessKind<Item>,
  containers: Collection<Container, never, never>,
  type?: 'vault' | 'static',
): Search<AccessCaller> {
  return {
    what: [kind.what],
    search: async (caller, { words, slices, containers: listed }) => {
      const everywhere = {
        scope_id: 'global',
        recursive: true,
        ...(type !== undefined && { filter: `"/item/type" == "${type}"` }),
      };
      const all = await listed.getOrInsertComputed(type ?? containers, () =>
        allOf(containers, caller, everywhere, mostContainers + 1),
      );
      const filter = filterOf(kind, words);
      const read = async ({ id }: StoredRecord): Promise<Found[]> => {
        await slices.giveWay();
        const within = { [kind.records.container]: id, page_size: mostOfKind, filter };
        const { items } = await kind.records.list(caller, within);
        return items.map((item) => foundRecord(kind, item, id));
      };
      return firstOf(all, read);
    },
  };
}

/** Searches containers until enough is found, or the most are read. */
async function firstOf<Container>(
  containers: readonly Container[],
  read: (container: Container) => Promise<Found[]>,
): Promise<Answer> {
  const found: Found[] = [];
  for await (const some of mapInOrder(containers.slice(0, mostContainers), read, atOnce)) {
    found.push(...some);
    if (found.length >= mostOfKind) return { found };
  }
  return { found, isPartial: containers.length > mostContainers };
}

const named = ['name', 'description'];
const showNamed = ({ name, description }: { readonly name: string; readonly description: string }) => ({
  name,
  detail: description,
});

const accessSearches: readonly Search<AccessCaller>[] = [
  inScopes({
    what: 'target',
    records: targets,
    fields: [...named, 'address'],
    show: ({ name, address, description }) => ({ name, detail: address === '' ? description : address }),
  }),
  inScopes({
    what: 'person',
    records: people,
    fields: ['name', 'login_name', 'full_name', 'email'],
    show: ({ full_name: full, login_name: login }) => ({
      name: full === '' ? login : full,
      detail: full === '' ? '' : login,
    }),
  }),
  inScopes({ what: 'host-catalog', records: hostCatalogs, fields: named, show: showNamed }),
  inScopes({ what: 'credential-store', records: credentialStores, fields: named, show: showNamed }),
  inContainers({ what: 'host-set', records: hostSets, fields: named, show: showNamed }, hostCatalogs),
  inContainers(
    {
      what: 'host',
      records: hosts,
      fields: [...named, 'attributes/address'],
      show: ({ name, attributes }) => ({ name, detail: attributes.address }),
    },
    hostCatalogs,
  ),
  inContainers(
    { what: 'credential-library', records: credentialLibraries, fields: named, show: showNamed },
    credentialStores,
    'vault',
  ),
  inContainers(
    { what: 'credential', records: credentials, fields: named, show: showNamed },
    credentialStores,
    'static',
  ),
];

/** A record of a list that the service can't search; nothing if the record lacks a word. */
function foundAmong(words: readonly string[], one: Omit<Found, 'kind' | 'authorized_actions'>): Found[] {
  const text = `${one.within ?? ''}/${one.id} ${one.name} ${one.detail}`.toLowerCase();
  return words.every((word) => text.includes(word))
    ? [{ kind: 'found', ...one, authorized_actions: null }]
    : [];
}

const secretSearches: readonly Search<SecretsCaller>[] = [
  {
    what: ['secret'],
    search: async (caller, { words, slices }) => {
      const found: Found[] = [];
      let folders = 0;
      for (const { path: mount, version } of await listKeyValueMounts(caller)) {
        if (version !== 2) continue;
        const progress = { foldersRead: 0, foldersWaiting: 0 };
        try {
          for await (const walked of walkFolders(caller, mount, '', progress)) {
            for (const id of secretsIn(walked)) {
              const name = id.slice(id.lastIndexOf('/') + 1);
              found.push(
                ...foundAmong(words, { what: 'secret', id, name, detail: `${mount}/${id}`, within: mount }),
              );
            }
            folders += 1;
            await slices.giveWay();
            if (found.length >= mostOfKind) return { found };
            if (folders >= mostFolders) return { found, isPartial: true };
          }
        } catch (error) {
          // Other engines may still have names that the person can list.
          if (!(error instanceof ProblemError) || error.code !== 'forbidden') throw error;
        }
      }
      return { found };
    },
  },
  {
    what: ['plugin'],
    search: async (caller, { words }) => {
      const all = await listPlugins(caller);
      const found = all.flatMap((plugin) =>
        foundAmong(words, {
          what: 'plugin',
          id: pluginIdOf(plugin),
          name: `${plugin.type}/${plugin.name}`,
          detail: [plugin.version, plugin.sha256.slice(0, 12)].filter(Boolean).join(' '),
        }),
      );
      return { found };
    },
  },
  {
    what: ['cloud-role'],
    search: async (caller, { words, slices }) => {
      const read = async ({ path: mount }: { readonly path: string }): Promise<Found[]> => {
        await slices.giveWay();
        return (await listRoles(caller, mount)).flatMap((name) =>
          foundAmong(words, { what: 'cloud-role', id: name, name, detail: mount, within: mount }),
        );
      };
      return firstOf(await listCloudMounts(caller), read);
    },
  },
];

function boxOf({ tag, short_description: detail }: BoxSummary) {
  return { what: 'box', id: tag, name: tag, detail } as const;
}

const boxSearches: readonly Search<BoxesCaller>[] = [
  {
    what: ['box'],
    search: async (caller, { words }) => {
      const released = await searchBoxes(caller, { q: words.join(' '), limit: mostOfKind });
      // A registry's search finds only released boxes; the others are listed by owner.
      const namespaces = (await listNamespaces(caller)) ?? [];
      const owners = [...new Set([caller.username, ...namespaces.map(({ username }) => username)])];
      const owned: BoxSummary[] = [];
      for await (const { boxes } of mapInOrder(
        owners.slice(0, mostOwners),
        (owner) => readOwner(caller, owner),
        atOnce,
      ))
        owned.push(...boxes);
      const found = [
        ...released.flatMap((box) => foundAmong([], boxOf(box))),
        ...owned
          .filter(({ tag }) => released.every((box) => box.tag !== tag))
          .flatMap((box) => foundAmong(words, boxOf(box))),
      ];
      return { found, isPartial: owners.length > mostOwners };
    },
  },
  {
    what: ['organization'],
    search: async (caller, { words }) => {
      // A registry like Vagrant Cloud has no list of organizations.
      const { organizations = [] } = (await listOrganizations(caller)) ?? {};
      const found = organizations.flatMap(({ username }) =>
        foundAmong(words, { what: 'organization', id: username, name: username, detail: '' }),
      );
      return { found };
    },
  },
];

const moduleSearches: readonly Search<ModulesCaller>[] = [
  {
    what: ['module'],
    search: async (caller, { words }) => {
      const none = { namespace: '', provider: undefined, verified: undefined, deprecated: undefined };
      const { modules } = await searchModules(caller, {
        ...none,
        q: words.join(' '),
        offset: 0,
        limit: mostOfKind,
      });
      return {
        found: modules.map((module) => ({
          kind: 'found',
          what: 'module',
          id: `${module.namespace}/${module.name}/${module.provider}`,
          name: `${module.namespace}/${module.name}/${module.provider}`,
          detail: module.description,
          authorized_actions: null,
        })),
      };
    },
  },
];

export const searchOperations = resource(
  { service: '', services: ['access', 'secrets', 'boxes', 'modules'] },
  { 'search.find': find },
);
