/** The body of a secret's write: all fields or a patch. */
import { entriesOf, lastByKey, objectText, type JsonEntry } from '@gatehouse/api-types/console/json-text';
import { fieldName } from '../-fields/form-keys.ts';
import { patchOf, type PatchOutcome } from '../-fields/patch-of.ts';
import { dataOfValues, isUnseen, saysExactly, unseen, type SecretValues } from '../-fields/secret-values.ts';

/** The text of all fields: the JSON editor's if it matches the values, else built from the fields. */
export function wholeText(values: SecretValues, exactText: string | null): string {
  return exactText !== null && saysExactly(exactText, values) ? exactText : dataOfValues(values);
}

/**
 * The patch from the stored fields to the form's. Values that weren't read stay unchanged, are replaced or are removed.
 * @param structure the stored data with null for every value, if known: a replaced object's other members are removed
 * @param isBlind whether names are hidden too; null then removes a field
 */
export function patchBetween(
  before: SecretValues,
  after: SecretValues,
  { structure = null, isBlind = false }: { structure?: string | null; isBlind?: boolean } = {},
): PatchOutcome {
  const shapes = unseenShapes(structure);
  const old = new Map(Object.entries(before.data));
  const next = new Map(Object.entries(after.data));
  const fresh: JsonEntry[] = [];
  for (const [key, text] of next) {
    const wasHidden = !old.has(key) || isUnseen(old.get(key));
    if (isUnseen(text)) {
      old.delete(key);
      next.delete(key);
    } else if (isBlind && text === 'null') {
      old.set(key, unseen);
      next.delete(key);
    } else if (wasHidden) {
      fresh.push({ key: fieldName(key), text });
    }
  }
  // What replaces a hidden value is compared with no value, so that a null in it isn't taken for an equal one.
  const refused = patchOf('{}', objectText(fresh));
  if ('reason' in refused) return refused;
  const known = [...old].map(([key, text]) => ({
    key: fieldName(key),
    text: isUnseen(text) ? (shapes.get(fieldName(key)) ?? 'null') : text,
  }));
  return patchOf(objectText(known), dataOfValues({ data: Object.fromEntries(next) }));
}

function unseenShapes(structure: string | null): ReadonlyMap<string, string> {
  return structure === null ? new Map<string, string>() : lastByKey(entriesOf(structure));
}

/** Whether two texts have the same members in the same order, including repeated names. */
export function sameMembers(one: string, other: string): boolean {
  const [mine, theirs] = [entriesOf(one), entriesOf(other)];
  const same = (member: JsonEntry, index: number): boolean =>
    member.key === theirs[index]?.key && member.text === theirs[index].text;
  return mine.length === theirs.length && mine.every(same);
}
