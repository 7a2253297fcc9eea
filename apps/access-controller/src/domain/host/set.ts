import { changedMembers } from '../members.ts';
import type { MembershipVerb } from '../members.ts';
import { FieldFaults } from '../refusal.ts';
import type { Resource } from '../resource.ts';

/** Hosts of one catalog that targets take as one source. */
export interface HostSet extends Resource {
  /** `hsst_…`. */
  readonly id: string;
  readonly catalogId: string;
  /** The project of the catalog. */
  readonly projectId: string;
  /** Sorted. */
  readonly hostIds: readonly string[];
}

/** Prefix of the ids of host sets. */
export const hostSetPrefix = 'hsst';

/**
 * The hosts of a set after a change; the same array when nothing changes.
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
  const after = changedMembers(current.hostIds, verb, ids, 'host_ids', 'The set', faults);
  const stranger = ids.find((id) => !isInCatalog(id));
  if (verb !== 'remove' && stranger !== undefined) {
    faults.add('host_ids', `The set's catalog has no host ${stranger}.`);
  }
  faults.refuseAny();
  return after;
}
