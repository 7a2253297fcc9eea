import { parseTree } from '../../core/json/tree.ts';
import type { JsonObject } from '../../core/json/tree.ts';

/**
 * The structure of a secret without its values: leaves and empty maps become null.
 * @param data JSON text of an object
 * @param depth the level whose keys become leaves; 0 for no limit, and a negative depth is 1
 * @returns JSON text
 */
export function subkeys(data: string, depth: number): string {
  const tree = parseTree(data);
  return typeof tree === 'string' ? 'null' : structure(tree, depth === 0 ? Infinity : depth);
}

function structure({ members }: JsonObject, depth: number): string {
  // The last member of a repeated name is used.
  const byName = new Map(members.map((member) => [member.name, member]));
  const parts = [...byName.values()].map(({ literal, value }) => {
    const leaf = typeof value === 'string' || value.members.length === 0 || depth <= 1;
    return `${literal}:${leaf ? 'null' : structure(value, depth - 1)}`;
  });
  return `{${parts.join(',')}}`;
}
