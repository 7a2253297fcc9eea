import type { FieldFaults } from './refusal.ts';

/** How a list of members is changed. */
export type MembershipVerb = 'add' | 'set' | 'remove';

/**
 * A sorted list of ids after a change; the same array when nothing changes. Adding what is there and removing what is
 * not are noted as faults of `field`.
 * @param owner what has the list, to begin a sentence with
 * @param most members, of which more are a fault too
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
  // One that has more may lose some.
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
