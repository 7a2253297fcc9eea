import { absent } from './absent.ts';
import { assemble, copyOf, entriesOf, entryPolicy, withoutPrototype } from './container.ts';
import { deepEqual, sameValue } from './equal.ts';
import type { Change, Conflict, Path } from './findings.ts';
import { pointer } from './pointer.ts';
import type { ContainerPolicy, FieldPolicy, RecordPolicy } from './policy.ts';
import { setMerge, stringsOf } from './set-merge.ts';
import { hasTooMany, statementMerge } from './statement-merge.ts';
import { textMerge } from './text-merge.ts';

/** A field's three values, any of which may be `absent`. */
interface Sides {
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Collects changes and conflicts in the order of the fields. */
interface Findings {
  readonly changes: Change[];
  readonly conflicts: Conflict[];
}

/** Merges a field and everything below it. @returns the merged value or `absent`; theirs if they conflict */
export function mergeField(policy: FieldPolicy, sides: Sides, path: Path, findings: Findings): unknown {
  switch (policy.kind) {
    case 'record':
    case 'map':
    case 'list':
      return mergeEntries(policy, sides, path, findings);
    case 'set':
      return mergeWhole(policy, sides, path, findings, combineSets);
    case 'text':
      return mergeWhole(policy, sides, path, findings, combineTexts);
    case 'statements':
      return mergeStatements(policy, sides, path, findings);
    case 'scalar':
    case 'opaque':
      return mergeWhole(policy, sides, path, findings);
  }
}

/** Chooses one side's value. If both changed it differently, `combine` may join them; otherwise they conflict. */
function mergeWhole(
  policy: FieldPolicy,
  sides: Sides,
  path: Path,
  findings: Findings,
  combine?: (sides: Sides) => unknown,
): unknown {
  const { base, mine, theirs } = sides;
  const accept = (side: Change['side'], after: unknown) => {
    if (!sameValue(policy, base, after))
      findings.changes.push({ path, side, before: base, after, kind: policy.kind });
    return copyOf(policy, after);
  };
  // Values that are equal under the policy may be arranged differently; the side that changed the arrangement wins.
  if (sameValue(policy, mine, theirs)) return accept('both', deepEqual(base, theirs) ? mine : theirs);
  if (sameValue(policy, base, mine)) return accept('theirs', theirs);
  if (sameValue(policy, base, theirs)) return accept('mine', mine);
  const combined = combine?.(sides);
  if (combined !== undefined) return accept('both', combined);
  findings.conflicts.push({ id: pointer(path), path, kind: policy.kind, reason: reasonOf(sides), ...sides });
  return copyOf(policy, theirs);
}

/** Merges policy documents. In a conflict, both sides contain the same non-conflicting changes. */
function mergeStatements(policy: FieldPolicy, sides: Sides, path: Path, findings: Findings): unknown {
  const { base, mine, theirs } = sides;
  const isChanged = !sameValue(policy, base, mine) && !sameValue(policy, base, theirs);
  const joined =
    isChanged && areTexts(sides) && !sameValue(policy, mine, theirs)
      ? statementMerge(sides.base, sides.mine, sides.theirs)
      : undefined;
  if (joined !== undefined) return mergeWhole(policy, { base, ...joined }, path, findings);
  // A long document conflicts as a whole: a merge by lines might break its syntax, and would take long.
  const combine = hasTooMany(base, mine, theirs) ? undefined : combineTexts;
  return mergeWhole(policy, sides, path, findings, combine);
}

/** Merges a container entry by entry. If a side lacks it or has another shape, one side is chosen as a whole. */
function mergeEntries(policy: ContainerPolicy, sides: Sides, path: Path, findings: Findings): unknown {
  const base = isNothing(sides.base) ? new Map<string, unknown>() : entriesOf(policy, sides.base);
  const mine = entriesOf(policy, sides.mine);
  const theirs = entriesOf(policy, sides.theirs);
  const addedAlike = isNothing(sides.base) && sameValue(policy, sides.mine, sides.theirs);
  if (!base || !mine || !theirs || addedAlike) return mergeWhole(policy, sides, path, findings);

  const entries: Entries = { base, mine, theirs };
  const groups =
    policy.kind === 'record' ? conflictingGroups(policy, entries, path) : new Map<string, Conflict>();
  const merged = new Map<string, unknown>();
  for (const key of orderedKeys(policy, entries)) {
    const entry: Sides = { base: at(base, key), mine: at(mine, key), theirs: at(theirs, key) };
    const group = groups.get(key);
    if (group && !findings.conflicts.includes(group)) findings.conflicts.push(group);
    const value = group
      ? copyOf(entryPolicy(policy, key), entry.theirs)
      : mergeEntry(policy, key, entry, [...path, key], findings);
    if (value !== absent) merged.set(key, value);
  }
  return assemble(policy, merged);
}

/** The entries of a container's three sides. */
interface Entries {
  readonly base: ReadonlyMap<string, unknown>;
  readonly mine: ReadonlyMap<string, unknown>;
  readonly theirs: ReadonlyMap<string, unknown>;
}

function mergeEntry(
  container: ContainerPolicy,
  key: string,
  entry: Sides,
  path: Path,
  findings: Findings,
): unknown {
  const policy = entryPolicy(container, key);
  const deleted = entry.mine === absent || entry.theirs === absent;
  // Deleting an entry of a map or a list is more than emptying the set it contains; an absent field of a record only
  // has its zero value.
  if (container.kind !== 'record' && deleted) return mergeWhole(policy, entry, path, findings);
  return mergeField(policy, entry, path, findings);
}

/**
 * The order of the merged entries and of the findings: declared fields, then theirs, then mine's additions. A list
 * whose items theirs neither added, removed nor rearranged keeps mine's order.
 */
function orderedKeys(policy: ContainerPolicy, { base, mine, theirs }: Entries): ReadonlySet<string> {
  const declared = policy.kind === 'record' ? Object.keys(policy.fields) : [];
  const mineFirst = policy.kind === 'list' && deepEqual([...base.keys()], [...theirs.keys()]);
  const [first, second] = mineFirst ? [mine, theirs] : [theirs, mine];
  return new Set([...declared, ...first.keys(), ...second.keys(), ...base.keys()]);
}

function sameFields(
  policy: ContainerPolicy,
  keys: readonly string[],
  a: Entries['base'],
  b: Entries['base'],
): boolean {
  return keys.every((key) => sameValue(entryPolicy(policy, key), at(a, key), at(b, key)));
}

/**
 * The conflicting groups by each of their fields: both sides changed the group differently, and together more than one
 * field.
 */
function conflictingGroups(policy: RecordPolicy, entries: Entries, path: Path): Map<string, Conflict> {
  const { base, mine, theirs } = entries;
  const conflicts = new Map<string, Conflict>();
  for (const { name, fields } of policy.groups ?? []) {
    if (sameFields(policy, fields, mine, theirs)) continue;
    if (sameFields(policy, fields, base, mine) || sameFields(policy, fields, base, theirs)) continue;
    const changed = fields.filter(
      (field) => !sameFields(policy, [field], base, mine) || !sameFields(policy, [field], base, theirs),
    );
    if (changed.length < 2) continue;
    const conflict: Conflict = {
      id: `${pointer(path)}~{${name}}`,
      path,
      fields,
      kind: 'group',
      reason: 'both-edited',
      base: pick(base, fields),
      mine: pick(mine, fields),
      theirs: pick(theirs, fields),
    };
    for (const field of fields) conflicts.set(field, conflict);
  }
  return conflicts;
}

function pick(entries: Entries['base'], fields: readonly string[]): Record<string, unknown> {
  return withoutPrototype([...entries].filter(([key]) => fields.includes(key)));
}

function at(entries: Entries['base'], key: string): unknown {
  return entries.has(key) ? entries.get(key) : absent;
}

function isNothing(value: unknown): boolean {
  return value === absent || value === null;
}

function reasonOf({ base, mine, theirs }: Sides): Conflict['reason'] {
  if (mine === absent) return 'deleted-edited';
  if (theirs === absent) return 'edited-deleted';
  return base === absent ? 'both-added' : 'both-edited';
}

function combineSets({ base, mine, theirs }: Sides): string[] | undefined {
  const [before, own, current] = [base, mine, theirs].map((side) =>
    isNothing(side) ? new Set<string>() : stringsOf(side),
  );
  return before && own && current ? setMerge(before, own, current) : undefined;
}

function combineTexts(sides: Sides): string | undefined {
  return areTexts(sides) ? textMerge(sides.base, sides.mine, sides.theirs) : undefined;
}

function areTexts(sides: Sides): sides is Sides & { base: string; mine: string; theirs: string } {
  return [sides.base, sides.mine, sides.theirs].every((side) => typeof side === 'string');
}
