/**
 * The embedded registry's additions to the protocol: roles, publishing, deprecation, consumers and tokens. Other
 * registries answer 404 when asked whose token it is, which is remembered for a while.
 */
import type { DeprecationFields, ModuleVersion } from '@gatehouse/api-types/console/modules';
import * as wire from '@gatehouse/api-types/services/module-registry';
import { errorOf } from '../registry-error.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer } from '../transport.ts';
import { aboutOf, notThere, orNull, type ModulesCaller, type ModulesRequest } from './client.ts';
import { detailOf, namesOf } from './modules.ts';
import { ownToken } from './own-token.ts';
import { mayOf, toldToken, versionOf, type ModulePlace, type VersionPlace } from './resources.ts';

/** The deadline for publishing an archive, in milliseconds: longer than for other requests. */
const publishDeadlineMs = 60_000;

/** Sends a change only to a registry with these additions: another one might misread the path. */
async function change(caller: ModulesCaller, request: ModulesRequest): Promise<ServiceAnswer> {
  await managedToken(caller);
  return caller.send(request);
}

/** @throws ServiceError `forbidden` if the caller's role can't publish, `not-found` if the registry can't */
export async function requirePublisher(caller: ModulesCaller): Promise<void> {
  if (mayOf(await managedToken(caller))?.publish !== true) throw errorOf({ status: 403 }, caller.transport);
}

async function managedToken(caller: ModulesCaller): Promise<wire.WireOwnToken> {
  const own = await ownToken(caller);
  if (own !== null) return own;
  throw new ServiceError(
    'not-found',
    'The console can only read this module registry. Change its modules and tokens with its own tools.',
    aboutOf(caller.registry),
    { delivery: 'not-sent' },
  );
}

/** An archive with its description and source. */
export interface NewVersion {
  readonly archive: Uint8Array;
  readonly description: string;
  readonly source: string;
}

export async function publish(
  caller: ModulesCaller,
  at: VersionPlace,
  { archive, description, source }: NewVersion,
): Promise<ModuleVersion> {
  const answer = await change(caller, {
    method: 'PUT',
    at: {
      of: 'modules',
      names: [...namesOf(at), at.version],
      query: { description: description || undefined, source: source || undefined },
    },
    bytes: archive,
    contentType: 'application/gzip',
    deadlineMs: publishDeadlineMs,
  });
  return versionOf((await detailOf(caller, answer)).detail);
}

export async function deprecate(
  caller: ModulesCaller,
  at: VersionPlace,
  fields: DeprecationFields,
  etag: string | undefined,
): Promise<ModuleVersion> {
  const place = { of: 'modules', names: [...namesOf(at), at.version, 'deprecation'] } as const;
  const answer = await change(caller, { method: 'PUT', at: place, body: fields, etag });
  return versionOf((await detailOf(caller, answer)).detail);
}

export async function restore(
  caller: ModulesCaller,
  at: VersionPlace,
  etag: string | undefined,
): Promise<ModuleVersion> {
  const place = { of: 'modules', names: [...namesOf(at), at.version, 'deprecation'] } as const;
  const answer = await change(caller, { method: 'DELETE', at: place, etag });
  return versionOf((await detailOf(caller, answer)).detail);
}

export async function deleteVersion(
  caller: ModulesCaller,
  at: VersionPlace,
  etag: string | undefined,
): Promise<void> {
  const place = { of: 'modules', names: [...namesOf(at), at.version] } as const;
  await change(caller, { method: 'DELETE', at: place, etag });
}

export async function verify(
  caller: ModulesCaller,
  at: ModulePlace,
  verified: boolean,
  etag: string | undefined,
): Promise<void> {
  const place = { of: 'modules', names: [...namesOf(at), 'verified'] } as const;
  await change(caller, { method: 'PUT', at: place, body: { verified }, etag });
}

/** Downloads by day and version. @returns null if the registry doesn't report them */
export async function readDaily(caller: ModulesCaller, at: ModulePlace) {
  if ((await ownToken(caller)) === null) return null;
  const answer = await orNull(
    () => caller.send(get('metrics', [...namesOf(at), 'downloads', 'daily'], { days: 366 })),
    ...notThere,
  );
  if (answer === null) return null;
  const { data, meta } = await caller.transport.parse(wire.dailyDownloads, answer);
  return { daily: data, daily_since: meta?.since ?? null };
}

/** Tokens that fetched a module. @returns null if the registry doesn't report them @throws ServiceError `not-found` */
export async function readConsumers(caller: ModulesCaller, at: ModulePlace) {
  if ((await ownToken(caller)) === null) return null;
  const answer = await caller.send(get('modules', [...namesOf(at), 'consumers']));
  const { consumers } = await caller.transport.parse(wire.consumers, answer);
  return consumers.map(({ last_fetched_at, ...consumer }) => ({
    ...consumer,
    last_fetched_time: last_fetched_at,
  }));
}

/** The caller's tokens. @returns null if the registry doesn't list them */
export async function listTokens(caller: ModulesCaller) {
  if ((await ownToken(caller)) === null) return null;
  const { tokens } = await caller.transport.parse(wire.tokens, await caller.send(get('tokens', [])));
  return tokens.map((token) => ({ ...toldToken(token, token.current), current: token.current }));
}

/** @throws ServiceError `not-found` if the token doesn't exist */
export async function revokeToken(caller: ModulesCaller, id: string): Promise<void> {
  await change(caller, { method: 'DELETE', at: { of: 'tokens', names: [id] } });
}

function get(
  of: ModulesRequest['at']['of'],
  names: readonly string[],
  query: ModulesRequest['at']['query'] = {},
): ModulesRequest {
  return { method: 'GET', at: { of, names, query } };
}
