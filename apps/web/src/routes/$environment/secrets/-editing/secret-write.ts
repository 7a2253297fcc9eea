/** The body of a secret's write: all fields or a patch. */
import { entriesOf, objectText, type JsonEntry } from '@gatehouse/api-types/console/json-text';
import { fieldName } from '../-fields/form-keys.ts';
import { patchOf, type PatchOutcome } from '../-fields/patch-of.ts';
import { dataOfValues, saysExactly, isUnseen, type SecretValues } from '../-fields/secret-values.ts';

/** The text of all fields: the JSON editor's if it matches the values, else built from the fields. */
export function wholeText(values: SecretValues, exactText: string | null): string {
  return exactText !== null && saysExactly(exactText, values) ? exactText : dataOfValues(values);
}

/** A patch with the fields that were set and removed, when their values are hidden. */
export function blindPatch(before: SecretValues, after: SecretValues): string {
  const removed = Object.keys(before.data).filter((key) => !Object.hasOwn(after.data, key));
  const set = Object.entries(after.data).filter(([, text]) => !isUnseen(text));
  return objectText([
    ...removed.map((key) => ({ key: fieldName(key), text: 'null' })),
    ...set.map(([key, text]) => ({ key: fieldName(key), text })),
  ]);
}

/** The patch from the stored fields to the form's. */
export function patchBetween(before: SecretValues, after: SecretValues): PatchOutcome {
  return patchOf(dataOfValues(before), dataOfValues(after));
}

/** Whether two texts have the same members in the same order, including repeated names. */
export function sameMembers(one: string, other: string): boolean {
  const [mine, theirs] = [entriesOf(one), entriesOf(other)];
  const same = (member: JsonEntry, index: number): boolean =>
    member.key === theirs[index]?.key && member.text === theirs[index].text;
  return mine.length === theirs.length && mine.every(same);
}
