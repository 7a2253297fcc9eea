/** Boxes, their versions and providers, at the registry. */
import type {
  BoxChanges,
  BoxFields,
  ProviderChanges,
  VersionChanges,
} from '@gatehouse/api-types/console/boxes';
import type { Box, BoxSummary, BoxVersion, Owner, Provider } from '@gatehouse/api-types/console/boxes';
import { box, found, owner, provider, version } from '@gatehouse/api-types/services/box-registry';
import { isAnswer } from '../service-error.ts';
import { apiPath, type BoxesCaller } from './client.ts';
import { boxOf, providerOf, summaryOf, versionOf } from './resources.ts';

/** Where something is: a box, a version of it, or a provider of that. */
export interface BoxPlace {
  readonly username: string;
  readonly name: string;
}
export interface VersionPlace extends BoxPlace {
  readonly version: string;
}
export interface ProviderPlace extends VersionPlace {
  readonly provider: string;
}

/** What is searched for; the registry's own defaults where left out. */
export interface BoxQuery {
  readonly q?: string | undefined;
  readonly provider?: string | undefined;
  readonly sort?: string | undefined;
  readonly order?: string | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

export async function searchBoxes(caller: BoxesCaller, query: BoxQuery): Promise<readonly BoxSummary[]> {
  const path = apiPath(caller, ['search'], { ...query });
  return caller.transport.parse(found, await caller.send({ method: 'GET', path })).boxes.map(summaryOf);
}

/** An owner without what the caller may do there. @throws ServiceError `not-found` */
export async function readOwner(caller: BoxesCaller, username: string): Promise<Owner> {
  const path = apiPath(caller, ['user', username]);
  const wire = caller.transport.parse(owner, await caller.send({ method: 'GET', path }));
  return {
    username: wire.username,
    kind: null,
    profile: wire.profile_markdown,
    boxes: wire.boxes.map(summaryOf),
    may: null,
  };
}

/** @returns null when there is no such box, or none that the person may see */
export async function readBox(caller: BoxesCaller, at: BoxPlace): Promise<Box | null> {
  return orNull(async () => {
    const answer = await caller.send({ method: 'GET', path: boxPath(caller, at) });
    return boxOf(caller.transport.parse(box, answer), caller);
  });
}

export async function createBox(caller: BoxesCaller, username: string, fields: BoxFields): Promise<Box> {
  const path = apiPath(caller, ['boxes']);
  const answer = await caller.send({ method: 'POST', path, body: { box: { username, ...fields } } });
  return boxOf(caller.transport.parse(box, answer), caller);
}

export async function updateBox(caller: BoxesCaller, at: BoxPlace, changes: BoxChanges): Promise<Box> {
  const answer = await caller.send({ method: 'PUT', path: boxPath(caller, at), body: { box: changes } });
  return boxOf(caller.transport.parse(box, answer), caller);
}

export async function deleteBox(caller: BoxesCaller, at: BoxPlace): Promise<void> {
  await caller.send({ method: 'DELETE', path: boxPath(caller, at) });
}

/** @returns null when there is no such version */
export async function readVersion(caller: BoxesCaller, at: VersionPlace): Promise<BoxVersion | null> {
  return orNull(async () => {
    const answer = await caller.send({ method: 'GET', path: versionPath(caller, at) });
    return versionOf(caller.transport.parse(version, answer));
  });
}

export async function createVersion(
  caller: BoxesCaller,
  at: BoxPlace,
  fields: VersionChanges,
): Promise<BoxVersion> {
  const path = boxPath(caller, at, 'versions');
  const answer = await caller.send({ method: 'POST', path, body: { version: fields } });
  return versionOf(caller.transport.parse(version, answer));
}

export async function updateVersion(
  caller: BoxesCaller,
  at: VersionPlace,
  changes: VersionChanges,
): Promise<BoxVersion> {
  const path = versionPath(caller, at);
  const answer = await caller.send({ method: 'PUT', path, body: { version: changes } });
  return versionOf(caller.transport.parse(version, answer));
}

/** Releases or revokes a version. */
export async function moveVersion(
  caller: BoxesCaller,
  at: VersionPlace,
  how: 'release' | 'revoke',
): Promise<BoxVersion> {
  const answer = await caller.send({ method: 'PUT', path: versionPath(caller, at, how), body: {} });
  return versionOf(caller.transport.parse(version, answer));
}

export async function deleteVersion(caller: BoxesCaller, at: VersionPlace): Promise<void> {
  await caller.send({ method: 'DELETE', path: versionPath(caller, at) });
}

/** @returns null when there is no such provider */
export async function readProvider(caller: BoxesCaller, at: ProviderPlace): Promise<Provider | null> {
  return orNull(async () => {
    const answer = await caller.send({ method: 'GET', path: providerPath(caller, at) });
    return providerOf(caller.transport.parse(provider, answer));
  });
}

export async function createProvider(
  caller: BoxesCaller,
  at: VersionPlace,
  fields: ProviderChanges,
): Promise<Provider> {
  const path = versionPath(caller, at, 'providers');
  const answer = await caller.send({ method: 'POST', path, body: { provider: providerBody(fields) } });
  return providerOf(caller.transport.parse(provider, answer));
}

export async function updateProvider(
  caller: BoxesCaller,
  at: ProviderPlace,
  changes: ProviderChanges,
): Promise<Provider> {
  const path = providerPath(caller, at);
  const answer = await caller.send({ method: 'PUT', path, body: { provider: providerBody(changes) } });
  return providerOf(caller.transport.parse(provider, answer));
}

export async function deleteProvider(caller: BoxesCaller, at: ProviderPlace): Promise<void> {
  await caller.send({ method: 'DELETE', path: providerPath(caller, at) });
}

/** '' clears: null would leave the field as it is. A provider that never had one is sent none. */
function providerBody({ checksum, checksum_type, ...fields }: ProviderChanges): object {
  return {
    ...fields,
    ...(checksum !== undefined && { checksum }),
    ...(checksum_type !== undefined && { checksum_type: checksum_type ?? '' }),
  };
}

export function boxPath(caller: Pick<BoxesCaller, 'transport'>, at: BoxPlace, ...more: string[]): string {
  return apiPath(caller, ['box', at.username, at.name, ...more]);
}

export function versionPath(
  caller: Pick<BoxesCaller, 'transport'>,
  at: VersionPlace,
  ...more: string[]
): string {
  return boxPath(caller, at, 'version', at.version, ...more);
}

export function providerPath(
  caller: Pick<BoxesCaller, 'transport'>,
  at: ProviderPlace,
  ...more: string[]
): string {
  return versionPath(caller, at, 'provider', at.provider, ...more);
}

async function orNull<Found>(read: () => Promise<Found>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (isAnswer(error, 404)) return null;
    throw error;
  }
}
