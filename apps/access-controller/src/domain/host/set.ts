import { changedMembers } from '../members.ts';
import type { MembershipVerb } from '../members.ts';
import { FieldFaults, invalidField } from '../refusal.ts';
import type { Resource } from '../resource.ts';

/** A group of hosts in one catalog, which a target uses as one source. */
export interface HostSet extends Resource {
  /** `hsst_…`. */
  readonly id: string;
  readonly catalogId: string;
  /** The catalog's project. */
  readonly projectId: string;
  /** Sorted. */
  readonly hostIds: readonly string[];
}

/** Most hosts of a set. Lists of sets name all their hosts. */
const mostHosts = 2_000;

export const hostSetPrefix = 'hsst';

/**
 * The hosts of a set after a change; the same array if nothing changes.
 * @param isInCatalog whether a host is in the set's catalog
 * @throws Refusal `invalid argument` on `host_ids`
 */
export function changedHosts(
  current: HostSet,
  verb: MembershipVerb,
  ids: readonly string[],
  isInCatalog: (id: string) => boolean,
): readonly string[] {
  const faults = new FieldFaults();
  const after = changedMembers(current.hostIds, verb, ids, 'host_ids', 'The set', mostHosts, faults);
  faults.refuseAny();
  const stranger = verb === 'remove' ? undefined : [...new Set(ids)].find((id) => !isInCatalog(id));
  if (stranger !== undefined) throw invalidField('host_ids', `The set's catalog has no host ${stranger}.`);
  return after;
}
