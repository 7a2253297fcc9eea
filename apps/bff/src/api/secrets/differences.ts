import { entriesOf, lastByKey, sameJson } from '@gatehouse/api-types/console/json-text';
import type { NamedFields } from '@gatehouse/api-types/console/secret-names';
import type { Slices } from '@gatehouse/service-kit/slices';

/** The keys of two objects, in their order; `added` and `removed` are seen from the first. */
export interface Differences {
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly same: readonly string[];
}

/**
 * Compares the JSON texts of two objects by key, in slices.
 * @throws JsonTextError if one is not a JSON object
 */
export async function differences(before: string, after: string, slices: Slices): Promise<Differences> {
  const old = lastByKey(entriesOf(before));
  await slices.giveWay();
  const now = lastByKey(entriesOf(after));
  const [changed, added, same]: [string[], string[], string[]] = [[], [], []];
  for (const [key, is] of now) {
    await slices.giveWay();
    const was = old.get(key);
    (was === undefined ? added : sameJson(was, is) ? same : changed).push(key);
  }
  return { removed: [...old.keys()].filter((key) => !now.has(key)), changed, added, same };
}

/** Limits of a list's names and characters, because thousands of secrets may have thousands of long names each. */
const mostNames = 100;
const mostCharacters = 4096;

/** No fields. */
export const noFields: NamedFields = { names: [], count: 0 };

/** The first names of fields, and how many there are. */
export function named(keys: readonly string[]): NamedFields {
  let characters = 0;
  const names = keys.slice(0, mostNames).filter((name) => (characters += name.length) <= mostCharacters);
  return { names, count: keys.length };
}
