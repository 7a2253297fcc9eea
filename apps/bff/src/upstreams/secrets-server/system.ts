/** The token's view of the server: engines, and what the token may do. */
import { capabilities, uiMounts } from '@gatehouse/api-types/services/secrets-server';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { buildPath } from '../path.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { readGrants } from './grants.ts';

/** A key-value engine. */
export interface KeyValueMount {
  /** Without a trailing slash. */
  readonly path: string;
  readonly description: string;
  readonly version: number;
}

/** The key-value engines that the token can see, sorted by path. */
export async function listKeyValueMounts(caller: SecretsCaller): Promise<readonly KeyValueMount[]> {
  const { transport } = caller;
  const path = buildPath(`${transport.prefix}/v1/sys/internal/ui/mounts`);
  const { secret } = (await transport.parse(uiMounts, await caller.send({ method: 'GET', path }))).data;
  return Object.entries(secret)
    .filter(([, { type }]) => type === 'kv' || type === 'generic')
    .map(([at, { description, options }]) => ({
      path: trimEndSlashes(at),
      description,
      version: options?.['version'] === '2' || options?.['version'] === 2 ? 2 : 1,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The maximum number of paths in one request. */
const capabilityBatch = 200;

/**
 * The token's capabilities on each path: `read`, `list`, `deny`, `root` and others. Servers trim the paths in the
 * request, so for a path that ends in white space the answer is about another path, and its capabilities are unknown.
 * @returns the known ones; null if the server reports none
 */
export async function readCapabilities(
  caller: SecretsCaller,
  paths: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>> | null> {
  const { transport } = caller;
  const found = new Map<string, ReadonlySet<string>>();
  try {
    for (let at = 0; at < paths.length; at += capabilityBatch) {
      const batch = paths.slice(at, at + capabilityBatch);
      const answer = await caller.send({
        method: 'POST',
        path: buildPath(`${transport.prefix}/v1/sys/capabilities-self`),
        body: { paths: batch },
        reads: true,
      });
      const { data } = await transport.parse(capabilities, answer);
      const told = new Map(Object.entries(data));
      for (const path of batch) if (told.has(path)) found.set(path, wordsOf(told.get(path)));
    }
    return found;
  } catch (error) {
    if (isAnswer(error, 400, 403, 404, 405) && error.code !== 'not-connected') return null;
    throw error;
  }
}

function wordsOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
}

/** Whether the capabilities of a path include one of these. */
export function allows(words: ReadonlySet<string> | undefined, ...wanted: readonly string[]): boolean {
  if (words === undefined || words.has('deny')) return false;
  return words.has('root') || wanted.some((word) => words.has(word));
}

/** Any engine's path, as policies usually treat all mount paths alike. */
export const anyMount = 'sys/mounts/any';

/**
 * Whether the token may mount an engine somewhere; null if the server doesn't report it.
 * @param found capabilities, including those on `anyMount`
 */
export async function mayMount(
  caller: SecretsCaller,
  found: Awaited<ReturnType<typeof readCapabilities>>,
): Promise<boolean | null> {
  if (found === null) return null;
  if (allows(found.get(anyMount), 'create', 'update')) return true;
  const isMount = (path: string): boolean => path.startsWith('sys/mounts/') && !path.endsWith('/tune');
  const grants = await readGrants(caller);
  return grants?.some(isMount, 'create', 'update') ?? false;
}
