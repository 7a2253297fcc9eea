import type { Params, Request, Result, Route } from '../core/backend.ts';
import { booleanField, durationField, textField } from '../core/fields.ts';
import { listNames, listPart, type ReadNames } from '../core/list-names.ts';
import { badRequest, permissionDenied } from '../core/refusal.ts';
import { wireTime } from '../core/time.ts';
import type { Identity } from '../identity/identity.ts';
import type { LeaseRecord } from '../store/leases.ts';
import type { MountTableStore } from '../store/mounts.ts';

/** The routes of sys/leases, and their older paths. */
export function leaseRoutes(identity: Identity, mounts: MountTableStore): Route[] {
  const { leases } = identity;
  const renew = (request: Request, params: Params) => renewLease(identity, request, params);
  const revoke = (request: Request, params: Params) => revokeLease(identity, request, params);
  // Excludes the leases of `cloud/creds/u2` from those of `cloud/creds/u`.
  const idsAt = (namespace: string, prefix: string): readonly string[] => {
    const folder = folderOf(prefix);
    return leases.ids(namespace, prefix).filter((id) => id === prefix || id.startsWith(folder));
  };
  const revokePrefix = async (request: Request, { prefix = '' }: Params): Promise<Result> => {
    refuseAll(prefix);
    const ids = idsAt(request.namespace, prefix);
    const left = await leases.revoke(request.namespace, ids, request.now);
    refuseWhatIsLeft(request, left);
    return undefined;
  };
  const revokeForce = async ({ namespace, now }: Request, { prefix = '' }: Params): Promise<Result> => {
    refuseAll(prefix);
    await leases.revokeForcibly(namespace, idsAt(namespace, prefix), now);
    for (const mount of mounts.list(namespace)) {
      if (mount.path.startsWith(folderOf(prefix))) await leases.forget(mount);
    }
    return undefined;
  };
  const list = async (request: Request, { prefix = '' }: Params): Promise<Result> => {
    const folder = folderOf(prefix);
    const read: ReadNames = (from, batch) => leases.ids(request.namespace, folder, from, batch);
    const keys = await listNames(read, folder, listPart(request), request.giveWay);
    return keys.length === 0 ? undefined : { data: { keys } };
  };

  return [
    {
      path: 'leases/lookup',
      fields: ['lease_id'],
      operations: {
        list: (request) => {
          // Looking up a lease by its ID needs no sudo, but listing all leases does, as below.
          if (!hasSudo(identity, request)) throw permissionDenied();
          return list(request, {});
        },
        update: (request) => {
          const lease = leaseOf(identity, request, {}, 'invalid lease');
          return { data: wireLease(lease, request.now) };
        },
      },
    },
    { path: 'leases/lookup/*prefix', sudo: true, operations: { list } },
    ...['leases/renew', 'renew'].flatMap((path): Route[] => [
      { path, fields: ['lease_id', 'increment'], operations: { update: renew } },
      { path: `${path}/*lease`, fields: ['increment'], operations: { update: renew } },
    ]),
    ...['leases/revoke', 'revoke'].flatMap((path): Route[] => [
      { path, fields: ['lease_id', 'sync'], operations: { update: revoke } },
      { path: `${path}/*lease`, fields: ['sync'], operations: { update: revoke } },
    ]),
    ...['leases/revoke-prefix/*prefix', 'revoke-prefix/*prefix'].map((path): Route => ({
      path,
      fields: ['sync'],
      sudo: true,
      operations: { update: revokePrefix },
    })),
    ...['leases/revoke-force/*prefix', 'revoke-force/*prefix'].map((path): Route => ({
      path,
      sudo: true,
      operations: { update: revokeForce },
    })),
  ];
}

/** @throws Refusal 400 for an empty prefix, which would match all leases and is probably a mistake */
function refuseAll(prefix: string): void {
  if (prefix === '') throw badRequest('prefix must be specified');
}

/** Adds a trailing slash to a prefix; an empty one, which matches all leases, stays empty. */
function folderOf(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
}

function hasSudo({ acls }: Identity, { caller, namespace, fullPath }: Request): boolean {
  return (
    caller !== undefined && acls.of(caller).judge({ operation: 'list', path: namespace + fullPath }).sudo
  );
}

function leaseId({ body }: Request, { lease = '' }: Params): string {
  const id = lease === '' ? (textField(body, 'lease_id') ?? '') : lease;
  if (id === '') throw badRequest('lease_id must be specified');
  return id;
}

function leaseOf({ leases }: Identity, request: Request, params: Params, unknown: string): LeaseRecord {
  const lease = leases.find(request.namespace, leaseId(request, params), request.now);
  if (lease === undefined) throw badRequest(unknown);
  return lease;
}

async function renewLease(identity: Identity, request: Request, params: Params): Promise<Result> {
  const lease = leaseOf(identity, request, params, 'lease not found');
  const increment = durationField(request.body, 'increment') ?? 0;
  if (increment < 0) throw badRequest('increment cannot be negative');
  return identity.leases.renew(lease, increment, request.now);
}

async function revokeLease({ leases }: Identity, request: Request, params: Params): Promise<Result> {
  const left = await leases.revoke(request.namespace, [leaseId(request, params)], request.now);
  refuseWhatIsLeft(request, left);
  return undefined;
}

/** Failed revocations are retried; only a caller who waits for the revocations gets the failure. */
function refuseWhatIsLeft({ body }: Request, left: readonly string[]): void {
  if (left.length === 0 || booleanField(body, 'sync') !== true) return;
  throw badRequest(`failed to revoke ${left.length} lease(s); the server keeps retrying`);
}

function wireLease(lease: LeaseRecord, now: number): Readonly<Record<string, unknown>> {
  return {
    id: lease.id,
    issue_time: wireTime(lease.issueTime),
    expire_time: wireTime(lease.expireTime),
    last_renewal: lease.lastRenewalTime === null ? null : wireTime(lease.lastRenewalTime),
    path: lease.id.slice(0, lease.id.lastIndexOf('/')),
    renewable: lease.renewable,
    ttl: Math.max(0, Math.round((lease.expireTime - now) / 1000)),
  };
}
