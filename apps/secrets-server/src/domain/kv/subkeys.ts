import { parseTree } from '../../core/json/tree.ts';
import type { JsonObject } from '../../core/json/tree.ts';

/**
 * The structure of a secret without its values: every leaf is null, and so is an empty map.
 * @param data JSON text of an object
 * @param depth keys this deep are leaves; 0 for no limit, and below 0 it is 1
 * @returns JSON text
 */
export function subkeys(data: string, depth: number): string {
  const tree = parseTree(data);
  return typeof tree === 'string' ? 'null' : structure(tree, depth === 0 ? Infinity : depth);
}

function structure({ members }: JsonObject, depth: number): string {
  // Of a repeated name the last counts.
  const byName = new Map(members.map((member) => [member.name, member]));
  const parts = [...byName.values()].map(({ literal, value }) => {
    const leaf = typeof value === 'string' || value.members.length === 0 || depth <= 1;
    return `${literal}:${leaf ? 'null' : structure(value, depth - 1)}`;
  });
  return `{${parts.join(',')}}`;
}
