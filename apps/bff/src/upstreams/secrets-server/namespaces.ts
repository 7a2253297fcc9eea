/** The mounts in all of a server's namespaces, as far as a token can see them. */
import { filteredMounts, namespaces } from '@gatehouse/api-types/services/secrets-replication';
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

/** Every mount and namespace. @returns `complete`: whether all are listed, within the token's rights and the limit */
export async function listEverything(
  caller: SecretsCaller,
): Promise<{ readonly items: readonly PlacedItem[]; readonly complete: boolean }> {
  const items: PlacedItem[] = [];
  const waiting: string[][] = [[]];
  let complete = true;
  for (let looked = 0; looked < namespaceLimit; looked++) {
    const namespace = waiting.shift();
    if (namespace === undefined) break;
    const [engines, methods, children] = await Promise.all([
      read(caller, [...namespace, 'sys', 'mounts']),
      read(caller, [...namespace, 'sys', 'auth']),
      read(caller, [...namespace, 'sys', 'namespaces'], { list: true }),
    ]);
    if ([engines, methods, children].includes('denied')) complete = false;
    items.push(
      ...(await mountsOf(caller, engines, namespace, 'secret')),
      ...(await mountsOf(caller, methods, namespace, 'auth')),
    );
    for (const name of await namesOf(caller, children)) {
      const below = [...namespace, ...namesIn(name)];
      waiting.push(below);
      items.push({ path: below.join('/'), kind: 'namespace', plugin: '', description: '', local: false });
    }
  }
  items.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { items, complete: complete && waiting.length === 0 };
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

async function mountsOf(
  { transport }: SecretsCaller,
  found: Found,
  namespace: readonly string[],
  kind: 'secret' | 'auth',
): Promise<PlacedItem[]> {
  if (typeof found === 'string') return [];
  return Object.entries((await transport.parse(filteredMounts, found)).data)
    .filter(([, { type }]) => !own.test(type))
    .map(([at, { type, description, local }]) => ({
      path: [...namespace, ...(kind === 'auth' ? ['auth'] : []), trimEndSlashes(at)].join('/'),
      kind,
      plugin: type,
      description: description ?? '',
      local: local === true,
    }));
}

async function namesOf({ transport }: SecretsCaller, found: Found): Promise<string[]> {
  if (typeof found === 'string') return [];
  const { data } = await transport.parse(namespaces, found);
  return data.keys.map((key) => trimEndSlashes(key));
}
