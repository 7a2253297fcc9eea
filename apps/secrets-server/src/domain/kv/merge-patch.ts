import { parseTree, treeText } from '../../core/json/tree.ts';
import type { JsonMember, JsonTree } from '../../core/json/tree.ts';

/**
 * Applies a JSON merge patch (RFC 7396). Members that the patch doesn't name keep their text, including numbers beyond
 * 2^53, and their order; new members are appended.
 * @param target JSON text of an object
 * @param patch JSON text of an object
 * @returns JSON text of the patched object
 */
export function mergePatch(target: string, patch: string): string {
  return treeText(merged(parseTree(target), parseTree(patch)));
}

function merged(target: JsonTree | undefined, patch: JsonTree): JsonTree {
  if (typeof patch === 'string') return patch;
  const base = target === undefined || typeof target === 'string' ? [] : target.members;
  const members: (JsonMember | undefined)[] = [...base];
  const places = new Map<string, number[]>();
  for (const [index, { name }] of base.entries()) {
    const known = places.get(name);
    if (known === undefined) places.set(name, [index]);
    else known.push(index);
  }
  for (const { name, literal, value } of patch.members) {
    const at = places.get(name) ?? [];
    const last = at.at(-1);
    const before = last === undefined ? undefined : members[last];
    // The last member of a repeated name is used, and only one remains.
    for (const index of at) members[index] = undefined;
    if (value === 'null') {
      places.delete(name);
      continue;
    }
    const member = { name, literal: before?.literal ?? literal, value: merged(before?.value, value) };
    if (last === undefined) places.set(name, [members.push(member) - 1]);
    else {
      members[last] = member;
      places.set(name, [last]);
    }
  }
  return { members: members.filter((member) => member !== undefined) };
}
