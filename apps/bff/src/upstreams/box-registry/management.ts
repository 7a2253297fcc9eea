/**
 * The embedded registry's additions to the box API: the caller's permissions, organizations, tokens, second factors,
 * downloads by day and settings. Other registries answer 404 to all of them, which is remembered for a while.
 */
import type { BoxSettings, BoxSettingsFields } from '@gatehouse/api-types/console/box-accounts';
import type {
  MemberRole,
  Organization,
  OrganizationMember,
} from '@gatehouse/api-types/console/box-organizations';
import type { OwnerMay } from '@gatehouse/api-types/console/boxes';
import * as wire from '@gatehouse/api-types/services/box-registry';
import type * as z from 'zod/mini';
import { hashOf } from '#ground/fields-revision.ts';
import { ifThere, isAnswer, ServiceError } from '../service-error.ts';
import type { ServiceRequest } from '../transport.ts';
import type { BoxPlace } from './boxes.ts';
import { apiPath, type BoxesCaller } from './client.ts';
import { mayOf } from './resources.ts';

/** How long the absence or presence of these additions is remembered, in milliseconds. */
const believedFor = 5 * 60_000;

interface Asked {
  readonly method: ServiceRequest['method'];
  readonly names: readonly string[];
  readonly body?: unknown;
}

async function ask<Schema extends z.ZodMiniType>(
  caller: BoxesCaller,
  schema: Schema,
  { method, names, body }: Asked,
): Promise<z.output<Schema>> {
  if (method !== 'GET') await checkManaged(caller);
  const answer = await caller.send({
    method,
    path: apiPath(caller, names),
    ...(body !== undefined && { body }),
  });
  return caller.transport.parse(schema, answer);
}

/** Makes a change whose answer has no body. */
async function change(caller: BoxesCaller, { method, names, body }: Asked): Promise<void> {
  await checkManaged(caller);
  await caller.send({ method, path: apiPath(caller, names), ...(body !== undefined && { body }) });
}

/** @throws ServiceError `not-found` for a registry without these additions, which might misread their paths */
async function checkManaged(caller: BoxesCaller): Promise<void> {
  if (!(await isManaged(caller))) throw notManaged(caller);
}

/** The problem of a registry whose API manages only boxes. */
export function notManaged({ transport: { environment, service } }: BoxesCaller): ServiceError {
  return new ServiceError(
    'not-found',
    "This box registry's API doesn't manage organizations, second factors, tokens or settings. Use the registry's own web interface.",
    { environment, service },
    { delivery: 'not-sent' },
  );
}

/** Whether the registry has these additions. */
async function isManaged(caller: BoxesCaller): Promise<boolean> {
  const { registry } = caller;
  const now = registry.clock.now();
  const { managed } = registry.known;
  if (managed !== undefined && managed.until > now) return managed.is;
  let is = true;
  try {
    await ask(caller, wire.namespaces, { method: 'GET', names: ['namespaces'] });
  } catch (error) {
    // This user isn't allowed to ask, which says nothing about the registry.
    if (isAnswer(error, 403)) return false;
    if (!isAnswer(error, 200, 400, 404, 405, 422)) throw error;
    is = false;
  }
  registry.known.managed = { is, until: now + believedFor };
  return is;
}

/** A namespace and what the caller may do in it. @returns null if the registry doesn't report it */
export async function readNamespace(
  caller: BoxesCaller,
  username: string,
): Promise<wire.WireNamespace | null> {
  if (!(await isManaged(caller))) return null;
  return ifThere(() => ask(caller, wire.namespace, { method: 'GET', names: ['namespaces', username] }));
}

/** What the caller may do with an owner's boxes. If the registry doesn't report it, callers may publish their own. */
export async function mayIn(caller: BoxesCaller, username: string): Promise<OwnerMay> {
  const found = await readNamespace(caller, username);
  if (found !== null) return mayOf(found.actions);
  return username === caller.username ? { publish: true, manage: false } : null;
}

/** The namespaces in which the caller may publish. @returns null if the registry doesn't report them */
export async function listNamespaces(caller: BoxesCaller): Promise<readonly wire.WireNamespace[] | null> {
  if (!(await isManaged(caller))) return null;
  return (await ask(caller, wire.namespaces, { method: 'GET', names: ['namespaces'] })).namespaces;
}

/** All organizations. @returns null if the registry doesn't manage organizations */
export async function listOrganizations(caller: BoxesCaller): Promise<{
  readonly mayCreate: boolean;
  readonly organizations: readonly { readonly username: string; readonly may: OwnerMay }[];
} | null> {
  if (!(await isManaged(caller))) return null;
  const { may_create: mayCreate, organizations } = await ask(caller, wire.organizations, {
    method: 'GET',
    names: ['organizations'],
  });
  return {
    mayCreate,
    organizations: organizations.map(({ username, actions }) => ({ username, may: mayOf(actions) })),
  };
}

/** @returns null if the organization doesn't exist */
export function readOrganization(caller: BoxesCaller, username: string): Promise<Organization | null> {
  return ifThere(() => onOrganization(caller, { method: 'GET', names: [username] }));
}

export function createOrganization(
  caller: BoxesCaller,
  { username, profile }: { readonly username: string; readonly profile: string },
): Promise<Organization> {
  const body = { organization: { username, profile_markdown: profile } };
  return onOrganization(caller, { method: 'POST', names: [], body });
}

export function updateOrganization(
  caller: BoxesCaller,
  username: string,
  profile: string,
): Promise<Organization> {
  const body = { organization: { profile_markdown: profile } };
  return onOrganization(caller, { method: 'PUT', names: [username], body });
}

export async function deleteOrganization(caller: BoxesCaller, username: string): Promise<void> {
  await change(caller, { method: 'DELETE', names: ['organizations', username] });
}

export function addMember(
  caller: BoxesCaller,
  username: string,
  member: { readonly username: string; readonly role: MemberRole },
): Promise<Organization> {
  return onOrganization(caller, { method: 'POST', names: [username, 'members'], body: { member } });
}

export function changeMember(
  caller: BoxesCaller,
  username: string,
  member: string,
  role: MemberRole,
): Promise<Organization> {
  const names = [username, 'members', member];
  return onOrganization(caller, { method: 'PUT', names, body: { member: { role } } });
}

export async function removeMember(caller: BoxesCaller, username: string, member: string): Promise<void> {
  await change(caller, { method: 'DELETE', names: ['organizations', username, 'members', member] });
}

async function onOrganization(caller: BoxesCaller, { names, ...asked }: Asked): Promise<Organization> {
  const found = await ask(caller, wire.organization, { ...asked, names: ['organizations', ...names] });
  const { username, profile_markdown: profile, created_at, actions, members } = found;
  return {
    username,
    revision: hashOf({ profile }),
    profile,
    created_time: created_at,
    members:
      members?.map((member): OrganizationMember => ({
        ...member,
        revision: hashOf({ role: member.role }),
      })) ?? null,
    may: mayOf(actions),
  };
}

/** The caller's tokens. @returns null if the registry doesn't list them */
export async function listTokens(caller: BoxesCaller) {
  if (!(await isManaged(caller))) return null;
  const { tokens } = await ask(caller, wire.tokens, { method: 'GET', names: ['tokens'] });
  return tokens.map(({ token_hash, description, created_at, last_used_at, current }) => ({
    token_hash,
    description,
    created_time: created_at,
    last_used_time: last_used_at,
    own: current,
  }));
}

/** @returns false if the token didn't exist */
export async function deleteTokenByHash(caller: BoxesCaller, hash: string): Promise<boolean> {
  try {
    await change(caller, { method: 'DELETE', names: ['tokens', hash] });
    return true;
  } catch (error) {
    if (isAnswer(error, 404)) return false;
    throw error;
  }
}

/** The caller's second factor. @returns null if the registry doesn't manage second factors */
export async function readTwoFactor(
  caller: BoxesCaller,
): Promise<{ readonly enabled: boolean; readonly destination: string | null } | null> {
  if (!(await isManaged(caller))) return null;
  const { two_factor } = await ask(caller, wire.twoFactorState, { method: 'GET', names: ['two-factor'] });
  return { enabled: two_factor.enabled, destination: two_factor.obfuscated_destination };
}

export async function setUpTwoFactor(
  caller: BoxesCaller,
  { password, phone = '' }: { readonly password: string; readonly phone?: string | undefined },
): Promise<{ readonly secret: string; readonly otpauth_url: string }> {
  const body = { user: { password }, two_factor: { phone } };
  const { two_factor } = await ask(caller, wire.twoFactorSetUp, {
    method: 'POST',
    names: ['two-factor'],
    body,
  });
  return { secret: two_factor.secret, otpauth_url: two_factor.uri };
}

export async function confirmTwoFactor(caller: BoxesCaller, code: string): Promise<void> {
  await change(caller, { method: 'PUT', names: ['two-factor'], body: { two_factor: { code } } });
}

export async function turnOffTwoFactor(
  caller: BoxesCaller,
  { password, code }: { readonly password: string; readonly code: string },
): Promise<void> {
  await change(caller, {
    method: 'DELETE',
    names: ['two-factor'],
    body: { user: { password }, two_factor: { code } },
  });
}

/** Removes another user's second factor. */
export async function removeTwoFactorOf(caller: BoxesCaller, username: string): Promise<void> {
  await change(caller, { method: 'DELETE', names: ['two-factor', username] });
}

/** Downloads by day. @returns null if the registry doesn't report them @throws ServiceError `not-found` */
export async function readDailyDownloads(caller: BoxesCaller, { username, name }: BoxPlace) {
  if (!(await isManaged(caller))) return null;
  const names = ['box', username, name, 'downloads'];
  return (await ask(caller, wire.dailyDownloads, { method: 'GET', names })).downloads;
}

/** @returns null if the registry has no settings */
export async function readSettings(caller: BoxesCaller): Promise<BoxSettings | null> {
  if (!(await isManaged(caller))) return null;
  return withRevision(await ask(caller, wire.settings, { method: 'GET', names: ['settings'] }));
}

export async function updateSettings(caller: BoxesCaller, settings: BoxSettingsFields): Promise<BoxSettings> {
  const asked = { method: 'PUT', names: ['settings'], body: { settings } } as const;
  return withRevision(await ask(caller, wire.settings, asked));
}

function withRevision(settings: Omit<BoxSettings, 'revision'>): BoxSettings {
  const { organization_creators } = settings;
  return { ...settings, revision: hashOf({ organization_creators }) };
}
