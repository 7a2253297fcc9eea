import { parseTree, treeText } from '../../core/json/tree.ts';
import type { JsonMember, JsonObject } from '../../core/json/tree.ts';

/**
 * The structure of a secret without its values: leaves and empty maps become null.
 * @param data JSON text of an object
 * @param depth the level whose keys become leaves; 0 for no limit, and a negative depth is 1
 * @param giveWay lets other requests continue
 * @returns JSON text
 */
export async function subkeys(data: string, depth: number, giveWay: () => Promise<void>): Promise<string> {
  return treeText(structureOf(await parseTree(data, giveWay), depth === 0 ? Infinity : depth));
}

function structureOf({ members }: JsonObject, levels: number): JsonObject {
  // The last member of a repeated name is used.
  const last = new Map<string, JsonMember>();
  for (const { name, literal, value } of members) {
    const isLeaf = typeof value === 'string' || value.members.length === 0 || levels <= 1;
    last.set(name, { name, literal, value: isLeaf ? 'null' : structureOf(value, levels - 1) });
  }
  return { members: [...last.values()] };
}
