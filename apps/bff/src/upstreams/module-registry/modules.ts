/** The operations that every module registry has: modules, their versions, and the locations of archives. */
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

/** What to search for. Fields left out take the registry's defaults. */
export interface ModuleQuery {
  readonly q: string;
  readonly namespace: string;
  readonly provider: string | undefined;
  readonly verified: string | undefined;
  readonly deprecated: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A page of modules, and what the caller may do. @throws ServiceError `not-found` for a registry without lists */
export async function searchModules(
  caller: ModulesCaller,
  { q, namespace, ...rest }: ModuleQuery,
): Promise<{
  readonly modules: ModuleSummary[];
  readonly next_offset: number | null;
  readonly may: ModulesMay;
}> {
  // `search` is an operation, and a name that can't be a path segment can't be a namespace.
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
  const { meta, modules } = await caller.transport.parse(modulePage, answer);
  const next = meta.next_offset;
  return {
    modules: modules.map(summaryOf),
    // An offset that doesn't advance would repeat requests forever.
    next_offset: typeof next === 'number' && Number.isInteger(next) && next > rest.offset ? next : null,
    may: mayOf(own),
  };
}

/** A module as the registry reports it, with its ETag; undefined if the registry sends none. */
export interface FoundModule {
  readonly module: Module;
  readonly etag: string | undefined;
}

/** @returns null if the module doesn't exist */
export async function readModule(caller: ModulesCaller, at: ModulePlace): Promise<FoundModule | null> {
  const [versions, latest, own] = await Promise.all([
    readChoices(caller, at),
    readDetail(caller, at),
    ownToken(caller),
  ]);
  if (versions === null) return null;
  // Without a latest version, the newest one supplies the module's details.
  const [newest] = choicesOf(versions);
  const found = latest ?? (newest === undefined ? null : await readDetail(caller, at, newest.version));
  const base = await discover(caller.registry);
  const module = moduleOf(caller.registry, base, at, versions, found?.detail ?? null, mayOf(own));
  return { module, etag: found?.etag };
}

/** A version as the registry reports it, with its ETag; undefined if the registry sends none. */
export interface FoundVersion {
  readonly version: ModuleVersion;
  readonly etag: string | undefined;
}

/** @returns null if the version doesn't exist */
export async function readVersion(caller: ModulesCaller, at: VersionPlace): Promise<FoundVersion | null> {
  const found = await readDetail(caller, at, at.version);
  if (found !== null) return { version: versionOf(found.detail), etag: found.etag };
  const versions = await readChoices(caller, at);
  const choice = versions && choicesOf(versions).find(({ version }) => version === at.version);
  return choice ? { version: bareVersionOf(choice), etag: undefined } : null;
}

/**
 * A version with what its archive declares, as the registry reports it or as the console reads it.
 * @returns null if the version doesn't exist
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

/** The address from which clients fetch an archive. @throws ServiceError */
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

/** A module's download counts. @throws ServiceError `not-found` for a registry that doesn't count */
export async function readDownloads(caller: ModulesCaller, at: ModulePlace) {
  const answer = await orNull(
    () =>
      caller.send({ method: 'GET', at: { of: 'metrics', names: [...namesOf(at), 'downloads', 'summary'] } }),
    ...notThere,
  );
  if (answer === null) {
    throw notOffered(caller, "This module doesn't exist, or this registry doesn't count downloads.");
  }
  return (await caller.transport.parse(downloadSummary, answer)).data.attributes;
}

async function readChoices(caller: ModulesCaller, at: ModulePlace) {
  const answer = await orNull(
    () => caller.send({ method: 'GET', at: { of: 'modules', names: [...namesOf(at), 'versions'] } }),
    404,
    410,
  );
  if (answer === null) return null;
  const versions = await caller.transport.parse(versionChoices, answer);
  return (versions.modules[0]?.versions.length ?? 0) === 0 ? null : versions;
}

/** Reads a version, by default the latest; null if it or the operation doesn't exist. */
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

/** Reads a version from an answer. @throws ServiceError `bad-answer` */
export async function detailOf({ transport }: Pick<ModulesCaller, 'transport'>, answer: ServiceAnswer) {
  const { etag } = answer.headers;
  return {
    detail: await transport.parse(moduleDetail, answer),
    // A weak ETag never matches in `If-Match`.
    etag: typeof etag === 'string' && etag.startsWith('"') ? etag : undefined,
  };
}

/** An archive's location as the registry returned it, with the base URL of relative locations. */
async function locationOf(caller: ModulesCaller, at: VersionPlace) {
  const place = { of: 'modules', names: [...namesOf(at), at.version, 'download'] } as const;
  const answer = await caller.send({ method: 'GET', at: place });
  const headers = [answer.headers['x-terraform-get'], answer.headers['x-registry-get']];
  const raw =
    headers.find((value) => typeof value === 'string' && value !== '') ??
    (await caller.transport.parse(wireLocation, answer)).location;
  const { registry } = caller;
  const from = new URL(pathTo(registry, await discover(registry), place), registry.ownUrl);
  return { raw: String(raw).trim(), from };
}

export function namesOf({ namespace, name, provider }: ModulePlace): string[] {
  return [namespace, name, provider];
}

/** The problem of something that the registry doesn't offer. */
function notOffered({ registry }: ModulesCaller, detail: string): ServiceError {
  return new ServiceError('not-found', detail, aboutOf(registry), { delivery: 'answered', status: 404 });
}
