import { parseTree, treeText } from '../../core/json/tree.ts';
import type { JsonMember, JsonTree } from '../../core/json/tree.ts';

/**
 * Applies a JSON merge patch (RFC 7396). Members that the patch doesn't name keep their text, including numbers beyond
 * 2^53, and their order; new members are appended.
 * @param target JSON text of an object
 * @param patch JSON text of an object
 * @param giveWay lets other requests continue
 * @returns JSON text of the patched object
 */
export async function mergePatch(
  target: string,
  patch: string,
  giveWay: () => Promise<void>,
): Promise<string> {
  const tree = merged(await parseTree(target, giveWay), await parseTree(patch, giveWay));
  // Merging and writing each take some milliseconds for the largest secrets.
  await giveWay();
  return treeText(tree);
}

function merged(target: JsonTree | undefined, patch: JsonTree): JsonTree {
  if (typeof patch === 'string') return patch;
  const members: JsonMember[] = target === undefined || typeof target === 'string' ? [] : [...target.members];
  /** Where the last member of each patched name is; only that one remains of a repeated name. */
  const last = new Map<string, number | undefined>(patch.members.map(({ name }) => [name, undefined]));
  for (const [index, { name }] of members.entries()) if (last.has(name)) last.set(name, index);
  for (const { name, literal, value } of patch.members) {
    const at = value === 'null' ? undefined : (last.get(name) ?? members.length);
    last.set(name, at);
    if (at === undefined) continue;
    const before = members[at];
    members[at] = { name, literal: before?.literal ?? literal, value: merged(before?.value, value) };
  }
  return { members: members.filter(({ name }, index) => !last.has(name) || last.get(name) === index) };
}
