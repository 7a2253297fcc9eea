import {
  entriesOf,
  kindOf,
  lastByKey,
  objectText,
  sameJson,
  type JsonEntry,
} from '@gatehouse/api-types/console/json-text';

/** A patch, or why none exists. */
export type PatchOutcome = { readonly text: string } | { readonly reason: string };

/**
 * The JSON merge patch (RFC 7396) from `before` to `after`: only differences, with null for removed members. It can't
 * set a null value.
 * @throws JsonTextError if a text isn't an object's
 */
export function patchOf(before: string, after: string): PatchOutcome {
  const nulls: string[] = [];
  const patch = changedMembers(before, after, [], nulls);
  const [first] = nulls;
  return first === undefined
    ? { text: objectText(patch) }
    : { reason: `${first} is null, which a patch would treat as "remove". Replace all fields instead.` };
}

function changedMembers(
  before: string,
  after: string,
  path: readonly string[],
  nulls: string[],
): readonly JsonEntry[] {
  const [old, next] = [lastByKey(entriesOf(before)), lastByKey(entriesOf(after))];
  const members: JsonEntry[] = [];
  for (const key of old.keys()) if (!next.has(key)) members.push({ key, text: 'null' });
  for (const [key, text] of next) {
    const was = old.get(key);
    if (was !== undefined && sameJson(was, text)) continue;
    members.push({ key, text: patchOfValue(was, text, [...path, key], nulls) });
  }
  return members;
}

/** The value in the patch that changes `was` to `text`. */
function patchOfValue(
  was: string | undefined,
  text: string,
  path: readonly string[],
  nulls: string[],
): string {
  if (kindOf(text) === 'null') nulls.push(path.join('.'));
  if (kindOf(text) !== 'object') return text;
  // A patch merges objects, so members to remove need a null. It replaces values of other types.
  const below = was !== undefined && kindOf(was) === 'object' ? was : '{}';
  const members = changedMembers(below, text, path, nulls);
  return objectText(members);
}
