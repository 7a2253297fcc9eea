import type { FieldFaults } from './refusal.ts';

export type MembershipVerb = 'add' | 'set' | 'remove';

/**
 * A sorted list of IDs after a change; the same array if nothing changes. Adding a member or removing a non-member
 * adds a fault to `field`.
 * @param owner the subject of the fault's sentence
 * @param most the largest number of members; more are a fault
 */
export function changedMembers(
  current: readonly string[],
  verb: MembershipVerb,
  ids: readonly string[],
  field: string,
  owner: string,
  most: number,
  faults: FieldFaults,
): readonly string[] {
  const after = afterChange(current, verb, ids, field, owner, faults);
  // A list that is already over the limit may shrink.
  if (after.length > Math.max(most, current.length))
    faults.add(field, `${owner} can have at most ${most.toLocaleString('en')} entries in this list.`);
  return after;
}

function afterChange(
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
      if (known !== undefined) faults.add(field, `${owner} already has ${known}.`);
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
