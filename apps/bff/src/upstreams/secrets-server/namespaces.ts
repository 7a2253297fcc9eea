/** The mounts in all of a server's namespaces, as far as a token can see them. */
import { filteredMounts, namespaces } from '@gatehouse/api-types/services/secrets-replication';
import type { Slices } from '@gatehouse/service-kit/slices';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { buildPath, namesIn } from '../path.ts';
import type { ServiceAnswer } from '../transport.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** A mount or a namespace, with its path relative to the caller's namespace, without a trailing slash. */
export interface PlacedItem {
  readonly path: string;
  readonly kind: 'secret' | 'auth' | 'namespace';
  /** Empty for a namespace. */
  readonly plugin: string;
  readonly description: string;
  readonly local: boolean;
}

/** The types that every namespace mounts automatically. */
const own = /^(?:ns_)?(?:system|identity|cubbyhole|token)$/;

/** The maximum number of namespaces that are read. */
const namespaceLimit = 1000;

/** The maximum number of items, and of characters of their texts: an answer is generated in one go. */
const itemLimit = 10_000;
const characterLimit = 1_000_000;

/** Longer paths are left out: no filter of the console can have them. In UTF-16 code units. */
const longestPath = 1024;

/** Longer descriptions are shortened. */
const longestDescription = 100;

/** Every mount and namespace. @returns `complete`: whether all are listed, within the token's rights and the limits */
export async function listEverything(
  caller: SecretsCaller,
  slices: Slices,
): Promise<{ readonly items: readonly PlacedItem[]; readonly complete: boolean }> {
  const items: PlacedItem[] = [];
  const waiting: string[][] = [[]];
  let complete = true;
  let characters = 0;
  for (let looked = 0; looked < namespaceLimit; looked++) {
    const namespace = waiting.shift();
    if (namespace === undefined) break;
    const [engines, methods, children] = await Promise.all([
      read(caller, [...namespace, 'sys', 'mounts']),
      read(caller, [...namespace, 'sys', 'auth']),
      read(caller, [...namespace, 'sys', 'namespaces'], { list: true }),
    ]);
    if ([engines, methods, children].includes('denied')) complete = false;
    const found = [
      mountsOf(caller, engines, namespace, 'secret'),
      mountsOf(caller, methods, namespace, 'auth'),
      namespacesOf(caller, children, namespace),
    ];
    for (const some of found)
      for await (const item of some) {
        await slices.giveWay();
        if (item.path.length > longestPath) {
          complete = false;
          continue;
        }
        characters += item.path.length + item.plugin.length + item.description.length;
        if (items.length === itemLimit || characters > characterLimit)
          return { items: sorted(items), complete: false };
        items.push(item);
        if (item.kind === 'namespace') waiting.push(namesIn(item.path));
      }
  }
  return { items: sorted(items), complete: complete && waiting.length === 0 };
}

function sorted(items: PlacedItem[]): PlacedItem[] {
  return items.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Found = ServiceAnswer | 'denied' | 'none';

async function read(
  caller: SecretsCaller,
  names: readonly string[],
  query: Readonly<Record<string, boolean>> = {},
): Promise<Found> {
  try {
    const path = buildPath(`${caller.transport.prefix}/v1`, names, { query });
    return await caller.send({ method: 'GET', path });
  } catch (error) {
    if (isAnswer(error, 403) && error.code !== 'not-connected') return 'denied';
    // The server has no namespaces, or this namespace has no children.
    if (isAnswer(error, 404, 405)) return 'none';
    throw error;
  }
}

async function* mountsOf(
  { transport }: SecretsCaller,
  found: Found,
  namespace: readonly string[],
  kind: 'secret' | 'auth',
): AsyncGenerator<PlacedItem> {
  if (typeof found === 'string') return;
  const { data } = await transport.parse(filteredMounts, found);
  for (const [at, { type, description, local }] of Object.entries(data)) {
    if (own.test(type)) continue;
    yield {
      path: [...namespace, ...(kind === 'auth' ? ['auth'] : []), trimEndSlashes(at)].join('/'),
      kind,
      plugin: type,
      description: shortened(description ?? ''),
      local: local === true,
    };
  }
}

function shortened(text: string): string {
  return text.length > longestDescription ? `${text.slice(0, longestDescription)}…` : text;
}

async function* namespacesOf(
  { transport }: SecretsCaller,
  found: Found,
  namespace: readonly string[],
): AsyncGenerator<PlacedItem> {
  if (typeof found === 'string') return;
  const { data } = await transport.parse(namespaces, found);
  for (const key of data.keys) {
    const path = [...namespace, trimEndSlashes(key)].join('/');
    yield { path, kind: 'namespace', plugin: '', description: '', local: false };
  }
}
