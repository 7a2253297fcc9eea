import type { EndpointName } from '@gatehouse/api-types/console/endpoints';
import { members, setAction } from '@gatehouse/api-types/console/record-fields';
import * as z from 'zod/mini';
import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { AuditRow } from '#store/schema.ts';
import { hasSent } from '#upstreams/access-controller/bodies.ts';
import { isAnswer, type AccessCaller } from '#upstreams/access-controller/client.ts';
import type { Collection, StoredRecord } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentials, credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { hostCatalogs, hosts, hostSets } from '#upstreams/access-controller/host-sources.ts';
import { people } from '#upstreams/access-controller/people.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';
import { targets } from '#upstreams/access-controller/targets.ts';
import { boxKinds, whatBecameOfBox } from '../boxes/became.ts';
import { ownWork } from '../console/own-work.ts';
import { publishKinds, whatBecameOfPublishing } from '../publish/became.ts';
import { secretKinds, whatBecameOfSecret } from '../secrets/became.ts';
import { accessCaller } from './caller.ts';
import { holdsChange } from './membership.ts';

/** What reading the service again has shown. */
export interface Became {
  /** `failed`: it was not done. `unknown`: reading again could not tell. */
  readonly outcome: 'succeeded' | 'failed' | 'unknown';
  /** The record as it is now, where it is known to be the one. */
  readonly stored?: { readonly id: string; readonly revision: string; readonly name?: string };
}

type Records = Collection<StoredRecord & { readonly name?: string }, never, never>;

const byKind: Readonly<Record<string, Records>> = {
  target: targets,
  'host-catalog': hostCatalogs,
  'host-set': hostSets,
  host: hosts,
  'credential-store': credentialStores,
  credential: credentials,
  'credential-library': credentialLibraries,
  session: sessions,
  person: people,
};

/**
 * Reads the service once, in the name of who asks, and decides by what is stored whether an audited call was done.
 * Nothing is repeated.
 * @throws ServiceError when it cannot be read: then nothing is decided
 */
export async function whatBecame(
  context: Context,
  call: Parameters<typeof accessCaller>[1],
  intent: AuditRow,
  wish: Wish,
): Promise<Became> {
  if (secretKinds.has(intent.resource_kind)) return whatBecameOfSecret(context, call, wish);
  if (boxKinds.has(intent.resource_kind)) return whatBecameOfBox(context, call, intent, wish);
  if (publishKinds.has(intent.resource_kind)) return whatBecameOfPublishing(context, wish);
  const records = byKind[intent.resource_kind];
  if (records === undefined) return ownWork(context, intent, wish);
  const caller = await accessCaller(context, call);
  const verb = intent.action.slice(intent.action.indexOf('.') + 1);
  switch (verb) {
    case 'create':
      return created(records, caller, intent, wish);
    case 'delete':
      return {
        outcome: (await readAgain(records, caller, intent.resource_id)) === null ? 'succeeded' : 'failed',
      };
    case 'authorize-session':
      return authorized(caller, intent, wish);
    default:
      return changed(records, caller, intent, wish);
  }
}

async function readAgain(records: Records, caller: AccessCaller, id: string) {
  try {
    return await records.get(caller, id);
  } catch (error) {
    if (isAnswer(error, 404)) return null;
    throw error;
  }
}

/** Clocks of the console and of a service may differ by as much, in milliseconds. */
const leeway = 60_000;

async function created(
  records: Records,
  caller: AccessCaller,
  intent: AuditRow,
  wish: Wish,
): Promise<Became> {
  const unique = wish.body[records.uniqueField];
  const place = wish.body[records.container];
  // What has no name of its own cannot be told from others like it.
  if (typeof unique !== 'string' || unique === '') return { outcome: 'unknown' };
  const page = await records.list(caller, {
    filter: fieldIs(records.uniqueField, unique),
    [records.container]: typeof place === 'string' ? place : 'global',
  });
  const found = page.items.find((item) => hasSent(item, wish.body));
  if (found === undefined) return { outcome: 'failed' };
  const since = 'created_time' in found ? Date.parse(String(found.created_time)) : Number.NaN;
  // One that was there before is why this one was refused.
  return since >= intent.time - leeway ? { outcome: 'succeeded', stored: found } : { outcome: 'failed' };
}

async function changed(
  records: Records,
  caller: AccessCaller,
  intent: AuditRow,
  wish: Wish,
): Promise<Became> {
  const stored = await readAgain(records, caller, intent.resource_id);
  if (stored === null) return { outcome: 'unknown' };
  if (stored.revision === wish.revision) return { outcome: 'failed', stored };
  const wanted = holds(wish, stored);
  if (wanted === true) return { outcome: 'succeeded', stored };
  // Exactly one write came after what the person saw. With other values it is somebody else's, and refused this one.
  const oneLater = Number(stored.revision) === Number(wish.revision) + 1;
  if (oneLater) return wanted === false ? { outcome: 'failed', stored } : { outcome: 'succeeded', stored };
  return { outcome: 'unknown' };
}

const idsByOperation: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  changeHostSources: ['host_source_ids'],
  changeCredentialSources: [
    'brokered_credential_source_ids',
    'injected_application_credential_source_ids',
    'application_credential_source_ids',
  ],
  changeHostSetHosts: ['host_ids'],
};

/** Whether the record is as it was wished; undefined where its secrets cannot be compared. */
function holds(wish: Wish, stored: object): boolean | undefined {
  const fields = new Map<string, unknown>(Object.entries(stored));
  const ids = Object.entries(idsByOperation).find(([name]) => name === wish.operation)?.[1];
  if (ids !== undefined) {
    const action = z.parse(setAction, wish.body['action']);
    return ids.every(
      (name) =>
        wish.body[name] === undefined ||
        holdsChange(z.parse(members, fields.get(name)), action, z.parse(members, wish.body[name])),
    );
  }
  if (wish.operation === 'cancelAccessSession') {
    return ['canceling', 'terminated'].includes(String(fields.get('status')));
  }
  const equal = hasSent(stored, wish.body);
  return equal && wish.secret ? undefined : equal;
}

async function authorized(caller: AccessCaller, intent: AuditRow, wish: Wish): Promise<Became> {
  const userId = intent.person_id.split('/').at(-1) ?? '';
  const name = wish.params['id'] ?? '';
  // Known by its name alone, the target is not looked for.
  if (name === '') return { outcome: 'unknown' };
  const page = await sessions.list(caller, {
    scope_id: 'global',
    recursive: true,
    include_terminated: true,
    filter: `${fieldIs('target_id', name)} and ${fieldIs('user_id', userId)}`,
  });
  const until = intent.time + leeway;
  const found = page.items.some(({ created_time }) => {
    const time = Date.parse(created_time);
    return time >= intent.time && time <= until;
  });
  return { outcome: found ? 'succeeded' : 'failed' };
}
