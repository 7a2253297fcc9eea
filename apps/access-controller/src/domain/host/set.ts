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

/** How a list of members is changed. */
export type MembershipVerb = 'add' | 'set' | 'remove';

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
    faults.add('host_ids', `There is no host ${stranger} in the catalog of this set.`);
  }
  faults.refuseAny();
  return after;
}

/**
 * A sorted list of ids after a change; the same array when nothing changes. Adding what is there and removing what is
 * not are noted as faults of `field`.
 * @param owner what has the list, to begin a sentence with
 */
export function changedMembers(
  current: readonly string[],
  verb: MembershipVerb,
  ids: readonly string[],
  field: string,
  owner: string,
  faults: FieldFaults,
): readonly string[] {
  const before = new Set(current);
  const given = new Set(ids);
  switch (verb) {
    case 'add': {
      const known = ids.find((id) => before.has(id));
      if (known !== undefined) faults.add(field, `${owner} has ${known} already.`);
      return given.size === 0 ? current : [...before.union(given)].sort();
    }
    case 'remove': {
      const missing = ids.find((id) => !before.has(id));
      if (missing !== undefined) faults.add(field, `${owner} does not have ${missing}.`);
      return given.size === 0 ? current : current.filter((id) => !given.has(id));
    }
    case 'set':
      return before.symmetricDifference(given).size === 0 ? current : [...given].sort();
  }
}
