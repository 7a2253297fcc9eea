import {
  entriesOf,
  kindOf,
  lastByKey,
  objectText,
  sameJson,
  type JsonEntry,
} from '@gatehouse/api-types/console/json-text';

/** A patch, or why there is none. */
export type PatchOutcome = { readonly text: string } | { readonly reason: string };

/**
 * The JSON merge patch (RFC 7396) that makes `after` of `before`: only what differs, null for what went. A value null
 * cannot be set by such a patch, which takes it for "remove".
 * @throws JsonTextError when one is not the text of an object
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

/** The value in a patch that makes `text` of what was there. */
function patchOfValue(
  was: string | undefined,
  text: string,
  path: readonly string[],
  nulls: string[],
): string {
  if (kindOf(text) === 'null') nulls.push(path.join('.'));
  if (kindOf(text) !== 'object') return text;
  // An object is laid over the one that was there: what it lacks has to be removed by name. Over anything else it is
  // laid over nothing.
  const below = was !== undefined && kindOf(was) === 'object' ? was : '{}';
  const members = changedMembers(below, text, path, nulls);
  return objectText(members);
}
