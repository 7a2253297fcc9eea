import {
  kindOf,
  membersOf,
  objectText,
  samePlaces,
  sliceOf,
  type JsonEntry,
  type JsonNode,
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
  const changes = (
    was: JsonNode['members'],
    is: JsonNode['members'],
    path: readonly string[],
  ): JsonEntry[] => {
    const [old, next] = [new Map(was), new Map(is)];
    const members: JsonEntry[] = [];
    for (const key of old.keys()) if (!next.has(key)) members.push({ key, text: 'null' });
    for (const [key, node] of next) {
      const former = old.get(key);
      if (node.members !== undefined) {
        // A patch merges objects, so members to remove need a null. It replaces values of other types.
        const below = changes(former?.members, node.members, [...path, key]);
        if (below.length > 0 || former?.members === undefined) members.push({ key, text: objectText(below) });
      } else if (former === undefined || !samePlaces([before, former], [after, node])) {
        const text = sliceOf(after, node);
        if (kindOf(text) === 'null') nulls.push([...path, key].join('.'));
        members.push({ key, text });
      }
    }
    return members;
  };
  const patch = changes(membersOf(before), membersOf(after), []);
  const [first] = nulls;
  return first === undefined
    ? { text: objectText(patch) }
    : { reason: `${first} is null, which a patch would treat as "remove". Replace all fields instead.` };
}
