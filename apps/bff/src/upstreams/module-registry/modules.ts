/** What every module registry has, at the registry: modules, their versions, and where archives are. */
import type { Module, ModulesMay, ModuleSummary, ModuleVersion } from '@gatehouse/api-types/console/modules';
import {
  downloadSummary,
  location as wireLocation,
  moduleDetail,
  modulePage,
  versionChoices,
  type WireModuleDetail,
} from '@gatehouse/api-types/services/module-registry';
import { isSegment } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer } from '../transport.ts';
import { aboutOf, discover, notThere, orNull, pathTo, type ModulesCaller } from './client.ts';
import { addressOf, NotRead, readLocation } from './location.ts';
import { clientUrlOf, ownUrlOf } from './own-address.ts';
import { ownToken } from './own-token.ts';
import {
  bareVersionOf,
  choicesOf,
  mayOf,
  moduleOf,
  noContent,
  summaryOf,
  versionOf,
  type ModulePlace,
  type VersionPlace,
} from './resources.ts';

/** What is searched for; the registry's own defaults where left out. */
export interface ModuleQuery {
  readonly q: string;
  readonly namespace: string;
  readonly provider: string | undefined;
  readonly verified: string | undefined;
  readonly deprecated: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of modules, and what the caller may do. @throws ServiceError `not-found` of a registry without lists */
export async function searchModules(
  caller: ModulesCaller,
  { q, namespace, ...rest }: ModuleQuery,
): Promise<{
  readonly modules: ModuleSummary[];
  readonly next_offset: number | null;
  readonly may: ModulesMay;
}> {
  // `search` is an operation, and what is no segment of a path is no namespace.
  if (namespace === 'search' || (namespace !== '' && !isSegment(namespace)))
    return { modules: [], next_offset: null, may: null };
  const [answer, own] = await Promise.all([
    orNull(
      () =>
        caller.send({
          method: 'GET',
          at:
            q === ''
              ? { of: 'modules', names: namespace === '' ? [] : [namespace], query: rest }
              : {
                  of: 'modules',
                  names: ['search'],
                  query: { ...rest, q, namespace: namespace || undefined },
                },
        }),
      ...notThere.filter((status) => status !== 400),
    ),
    ownToken(caller),
  ]);
  if (answer === null) {
    throw notOffered(
      caller,
      "This module registry doesn't list its modules. Open a module by namespace, name and provider.",
    );
  }
  const { meta, modules } = caller.transport.parse(modulePage, answer);
  const next = meta.next_offset;
  return {
    modules: modules.map(summaryOf),
    // One that does not lead on would be asked for without an end.
    next_offset: typeof next === 'number' && Number.isInteger(next) && next > rest.offset ? next : null,
    may: mayOf(own),
  };
}

/** A module as its registry tells of it, and the revision that it gives it, where it gives one. */
export interface FoundModule {
  readonly module: Module;
  readonly etag: string | undefined;
}

/** @returns null when there is no such module */
export async function readModule(caller: ModulesCaller, at: ModulePlace): Promise<FoundModule | null> {
  const [versions, latest, own] = await Promise.all([
    readChoices(caller, at),
    readDetail(caller, at),
    ownToken(caller),
  ]);
  if (versions === null) return null;
  // Of a module without a latest version the newest one tells.
  const [newest] = choicesOf(versions);
  const found = latest ?? (newest === undefined ? null : await readDetail(caller, at, newest.version));
  const base = await discover(caller.registry);
  const module = moduleOf(caller.registry, base, at, versions, found?.detail ?? null, mayOf(own));
  return { module, etag: found?.etag };
}

/** A version as its registry tells of it, and the revision that it gives it, where it gives one. */
export interface FoundVersion {
  readonly version: ModuleVersion;
  readonly etag: string | undefined;
}

/** @returns null when there is no such version */
export async function readVersion(caller: ModulesCaller, at: VersionPlace): Promise<FoundVersion | null> {
  const found = await readDetail(caller, at, at.version);
  if (found !== null) return { version: versionOf(found.detail), etag: found.etag };
  const versions = await readChoices(caller, at);
  const choice = versions && choicesOf(versions).find(({ version }) => version === at.version);
  return choice ? { version: bareVersionOf(choice), etag: undefined } : null;
}

/**
 * A version with what its archive declares: by the registry's word, or as the console reads it itself.
 * @returns null when there is no such version
 */
export async function readWholeVersion(
  caller: ModulesCaller,
  at: VersionPlace,
): Promise<ModuleVersion | null> {
  const found = await readVersion(caller, at);
  if (found === null || found.version.content.root !== null) return found?.version ?? null;
  const { registry } = caller;
  try {
    const { raw, from } = await locationOf(caller, at);
    const key = [registry.ownUrl.origin, at.namespace, at.name, at.provider, at.version].join(' ');
    const { size, sha256, content } = await registry.archives.fetch(
      key,
      readLocation(raw, from),
      caller.username,
    );
    return { ...found.version, archive: found.version.archive ?? { size, sha256 }, content };
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    return { ...found.version, content: noContent(error.message) };
  }
}

/** Where clients fetch an archive. @throws ServiceError */
export async function locate(caller: ModulesCaller, at: VersionPlace) {
  const { raw, from } = await locationOf(caller, at);
  const { registry } = caller;
  const url = addressOf(raw, from);
  let reason = '';
  try {
    registry.archives.check(readLocation(raw, from).url);
  } catch (error) {
    if (!(error instanceof NotRead)) throw error;
    reason = error.message;
  }
  const own = url && ownUrlOf(registry, url);
  const shown = own === undefined ? url : clientUrlOf(registry, own);
  return { location: raw, url: shown?.href ?? '', readable: reason === '', reason };
}

/** How often a module was fetched. @throws ServiceError `not-found` of a registry that does not count */
export async function readDownloads(caller: ModulesCaller, at: ModulePlace) {
  const answer = await orNull(
    () =>
      caller.send({ method: 'GET', at: { of: 'metrics', names: [...namesOf(at), 'downloads', 'summary'] } }),
    ...notThere,
  );
  if (answer === null) {
    throw notOffered(caller, "This module doesn't exist, or this registry doesn't count downloads.");
  }
  return caller.transport.parse(downloadSummary, answer).data.attributes;
}

async function readChoices(caller: ModulesCaller, at: ModulePlace) {
  const answer = await orNull(
    () => caller.send({ method: 'GET', at: { of: 'modules', names: [...namesOf(at), 'versions'] } }),
    404,
    410,
  );
  if (answer === null) return null;
  const versions = caller.transport.parse(versionChoices, answer);
  return (versions.modules[0]?.versions.length ?? 0) === 0 ? null : versions;
}

/** A version, the latest one unless given; null where there is none, or no such operation. */
async function readDetail(
  caller: ModulesCaller,
  at: ModulePlace,
  version?: string,
): Promise<{ readonly detail: WireModuleDetail; readonly etag: string | undefined } | null> {
  const names = [...namesOf(at), ...(version === undefined ? [] : [version])];
  const answer = await orNull(
    () => caller.send({ method: 'GET', at: { of: 'modules', names } }),
    ...notThere,
  );
  return answer && detailOf(caller, answer);
}

/** Reads a version out of an answer that holds one. @throws ServiceError `bad-answer` */
export function detailOf({ transport }: Pick<ModulesCaller, 'transport'>, answer: ServiceAnswer) {
  const { etag } = answer.headers;
  return {
    detail: transport.parse(moduleDetail, answer),
    // A weak one matches nothing in `If-Match`.
    etag: typeof etag === 'string' && etag.startsWith('"') ? etag : undefined,
  };
}

/** The location of an archive as the registry says it, and what a relative one begins at. */
async function locationOf(caller: ModulesCaller, at: VersionPlace) {
  const place = { of: 'modules', names: [...namesOf(at), at.version, 'download'] } as const;
  const answer = await caller.send({ method: 'GET', at: place });
  const headers = [answer.headers['x-terraform-get'], answer.headers['x-registry-get']];
  const raw =
    headers.find((value) => typeof value === 'string' && value !== '') ??
    caller.transport.parse(wireLocation, answer).location;
  const { registry } = caller;
  const from = new URL(pathTo(registry, await discover(registry), place), registry.ownUrl);
  return { raw: String(raw).trim(), from };
}

export function namesOf({ namespace, name, provider }: ModulePlace): string[] {
  return [namespace, name, provider];
}

/** The problem of what a registry does not have. */
function notOffered({ registry }: ModulesCaller, detail: string): ServiceError {
  return new ServiceError('not-found', detail, aboutOf(registry), { delivery: 'answered', status: 404 });
}
