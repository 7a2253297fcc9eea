/** Boxes, their versions and providers at the registry: through version 2 of its API if it has that, else version 1. */
import {
  architectureOf,
  newestFirst,
  providerLabel,
  unknownArchitecture,
} from '@gatehouse/api-types/console/box-values';
import type {
  BoxChanges,
  BoxFields,
  ProviderChanges,
  ProviderFields,
  VersionChanges,
} from '@gatehouse/api-types/console/boxes';
import type { Box, BoxSummary, BoxVersion, Owner, Provider } from '@gatehouse/api-types/console/boxes';
import { box, found, owner, provider, version } from '@gatehouse/api-types/services/box-registry';
import { ifThere, isAnswer, ServiceError } from '../service-error.ts';
import type { ServiceAnswer } from '../transport.ts';
import { apiPath, type BoxesCaller } from './client.ts';
import { boxOf, providerOf, summaryOf, versionOf } from './resources.ts';
import { noArchitectures, spokenVersion } from './spoken-version.ts';

/** Identifies a box; VersionPlace and ProviderPlace add the version, and the provider and architecture. */
export interface BoxPlace {
  readonly username: string;
  readonly name: string;
}
export interface VersionPlace extends BoxPlace {
  readonly version: string;
}
export interface ProviderPlace extends VersionPlace {
  readonly provider: string;
  /** `unknown` at a registry without architectures. */
  readonly architecture: string;
}

/** What to search for. Fields left out take the registry's defaults. */
export interface BoxQuery {
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly architecture?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** @throws ServiceError `invalid-request` for an architecture at a registry without architectures */
export async function searchBoxes(caller: BoxesCaller, query: BoxQuery): Promise<readonly BoxSummary[]> {
  const version = await spokenVersion(caller);
  if (query.architecture !== undefined && version === 'v1') throw noArchitectures(caller);
  const path = apiPath(caller, ['search'], { query: { ...query }, version });
  const { boxes } = await caller.transport.parse(found, await caller.send({ method: 'GET', path }));
  return boxes.map(summaryOf);
}

/** Reads an owner, without what the caller may do there. @throws ServiceError `not-found` */
export async function readOwner(caller: BoxesCaller, username: string): Promise<Owner> {
  const path = apiPath(caller, ['user', username], { version: await spokenVersion(caller) });
  const wire = await caller.transport.parse(owner, await caller.send({ method: 'GET', path }));
  return {
    username: wire.username,
    kind: null,
    profile: wire.profile_markdown,
    boxes: wire.boxes.map(summaryOf),
    may: null,
  };
}

/** @returns null if the box doesn't exist, or the caller can't see it */
export async function readBox(caller: BoxesCaller, at: BoxPlace): Promise<Box | null> {
  return ifThere(async () => {
    const answer = await caller.send({ method: 'GET', path: await boxPath(caller, at) });
    return boxIn(answer, caller);
  });
}

export async function createBox(caller: BoxesCaller, username: string, fields: BoxFields): Promise<Box> {
  const version = await spokenVersion(caller);
  const path = apiPath(caller, ['boxes'], { version });
  const answer = await caller.send({ method: 'POST', path, body: { box: { username, ...fields } } });
  return boxIn(answer, caller);
}

export async function updateBox(caller: BoxesCaller, at: BoxPlace, changes: BoxChanges): Promise<Box> {
  const answer = await caller.send({
    method: 'PUT',
    path: await boxPath(caller, at),
    body: { box: changes },
  });
  return boxIn(answer, caller);
}

export async function deleteBox(caller: BoxesCaller, at: BoxPlace): Promise<void> {
  await caller.send({ method: 'DELETE', path: await boxPath(caller, at) });
}

/** @returns null if the version doesn't exist */
export async function readVersion(caller: BoxesCaller, at: VersionPlace): Promise<BoxVersion | null> {
  return ifThere(async () => {
    const answer = await caller.send({ method: 'GET', path: await versionPath(caller, at) });
    return versionOf(await caller.transport.parse(version, answer));
  });
}

export async function createVersion(
  caller: BoxesCaller,
  at: BoxPlace,
  fields: VersionChanges,
): Promise<BoxVersion> {
  const path = await boxPath(caller, at, 'versions');
  const answer = await caller.send({ method: 'POST', path, body: { version: fields } });
  return versionOf(await caller.transport.parse(version, answer));
}

export async function updateVersion(
  caller: BoxesCaller,
  at: VersionPlace,
  changes: VersionChanges,
): Promise<BoxVersion> {
  const path = await versionPath(caller, at);
  const answer = await caller.send({ method: 'PUT', path, body: { version: changes } });
  return versionOf(await caller.transport.parse(version, answer));
}

/** Releases or revokes a version. */
export async function moveVersion(
  caller: BoxesCaller,
  at: VersionPlace,
  how: 'release' | 'revoke',
): Promise<BoxVersion> {
  const answer = await caller.send({ method: 'PUT', path: await versionPath(caller, at, how), body: {} });
  return versionOf(await caller.transport.parse(version, answer));
}

export async function deleteVersion(caller: BoxesCaller, at: VersionPlace): Promise<void> {
  await caller.send({ method: 'DELETE', path: await versionPath(caller, at) });
}

/** @returns null if the provider doesn't exist, or not for this architecture */
export async function readProvider(caller: BoxesCaller, at: ProviderPlace): Promise<Provider | null> {
  return ifThere(async () => {
    const answer = await caller.send({ method: 'GET', path: await providerPath(caller, at) });
    const found = providerOf(await caller.transport.parse(provider, answer));
    return isAt(at, found) ? found : null;
  });
}

/** @throws ServiceError `invalid-request` for an architecture at a registry without architectures */
export async function createProvider(
  caller: BoxesCaller,
  at: VersionPlace,
  fields: ProviderFields,
): Promise<Provider> {
  const body = { provider: await providerBody(caller, fields, unknownArchitecture) };
  const path = await versionPath(caller, at, 'providers');
  const answer = await caller.send({ method: 'POST', path, body });
  return providerOf(await caller.transport.parse(provider, answer));
}

/**
 * @throws ServiceError `invalid-request` for an architecture at a registry without architectures, for one that exists,
 * and for a provider's default architecture while it has others
 */
export async function updateProvider(
  caller: BoxesCaller,
  at: ProviderPlace,
  changes: ProviderChanges,
): Promise<Provider> {
  const body = { provider: await providerBody(caller, changes, at.architecture) };
  const path = await providerPath(caller, at);
  const { name = at.provider, architecture = at.architecture, is_default } = changes;
  try {
    const answer = await caller.send({ method: 'PUT', path, body });
    return providerOf(await caller.transport.parse(provider, answer));
  } catch (error) {
    if (!isAnswer(error, 422)) throw error;
    if (is_default === false) throw refused(caller, staysDefault(at));
    if (name === at.provider && architecture === at.architecture) throw error;
    const there = await readProvider(caller, { ...at, provider: name, architecture });
    if (there === null) throw refused(caller, staysDefault(at));
    throw refused(
      caller,
      `The version already has ${providerLabel(there)}. Edit that provider, or delete it first.`,
    );
  }
}

/** @throws ServiceError `invalid-request` for a provider's default architecture if it has others */
export async function deleteProvider(caller: BoxesCaller, at: ProviderPlace): Promise<void> {
  try {
    await caller.send({ method: 'DELETE', path: await providerPath(caller, at) });
  } catch (error) {
    throw isAnswer(error, 422) ? refused(caller, staysDefault(at)) : error;
  }
}

function staysDefault({ provider: name, architecture }: ProviderPlace): string {
  return `${architecture} is the default architecture of ${name}, which has other architectures. Make another architecture the default first.`;
}

function refused({ transport: { environment, service } }: BoxesCaller, detail: string): ServiceError {
  const about = { environment, service };
  return new ServiceError('invalid-request', detail, about, { delivery: 'answered', status: 422 });
}

/**
 * Builds the body. An empty checksum type clears it, while null would leave it unchanged. Version 1 is sent no
 * architectures.
 */
async function providerBody(
  caller: BoxesCaller,
  { checksum, checksum_type, architecture, is_default, ...fields }: ProviderChanges,
  present: string,
): Promise<object> {
  const isFirst = (await spokenVersion(caller)) === 'v1';
  if (isFirst && (architecture ?? present) !== present) throw noArchitectures(caller);
  return {
    ...fields,
    ...(!isFirst && architecture !== undefined && { architecture }),
    ...(!isFirst && is_default !== undefined && { default_architecture: is_default }),
    ...(checksum !== undefined && { checksum }),
    ...(checksum_type !== undefined && { checksum_type: checksum_type ?? '' }),
  };
}

/** A box from an answer. Its versions are read in slices, because there may be thousands. */
async function boxIn(answer: ServiceAnswer, caller: BoxesCaller): Promise<Box> {
  const wire = await caller.transport.parse(box, answer);
  const versions: BoxVersion[] = [];
  for (const one of wire.versions) {
    await answer.slices.giveWay();
    versions.push(versionOf(one));
  }
  return boxOf(wire, newestFirst(versions), caller, await spokenVersion(caller));
}

/** Whether the found provider is the requested one: version 1 finds providers by name, whatever the architecture. */
function isAt(at: ProviderPlace, found: Provider): boolean {
  const asked = at.architecture.toLowerCase();
  return (
    found.architecture === null || [unknownArchitecture, architectureOf(found).toLowerCase()].includes(asked)
  );
}

async function boxPath(caller: BoxesCaller, at: BoxPlace, ...more: string[]): Promise<string> {
  const version = await spokenVersion(caller);
  return apiPath(caller, ['box', at.username, at.name, ...more], { version });
}

async function versionPath(caller: BoxesCaller, at: VersionPlace, ...more: string[]): Promise<string> {
  return boxPath(caller, at, 'version', at.version, ...more);
}

/** The path of one architecture of a provider, or below it. @throws ServiceError if the registry doesn't respond */
export async function providerPath(
  caller: BoxesCaller,
  at: ProviderPlace,
  ...more: string[]
): Promise<string> {
  const architecture = (await spokenVersion(caller)) === 'v1' ? [] : [at.architecture];
  return versionPath(caller, at, 'provider', at.provider, ...architecture, ...more);
}
