/** The fields of a secret as a form edits and merges them: the JSON text of each value, by key. */
import { checkJsonText, entriesOf, lastByKey, objectText } from '@gatehouse/api-types/console/json-text';
import type { MapEntries } from '#components/form/record-form.ts';
import { indentJson } from '#lib/indent-json.ts';
import { fieldName, formKey } from './form-keys.ts';

export interface SecretValues {
  data: MapEntries;
}

/** In place of a value that may not be read: no JSON, so that it is taken for no value. */
export const unseen = '<unseen>';

/** The same where somebody wrote another version: whether it is still what it was cannot be seen either. */
export function unseenIn(revision: string): string {
  return `<unseen in ${revision}>`;
}

export function isUnseen(text: string | undefined): boolean {
  return text?.startsWith('<unseen') === true;
}

/** @throws JsonTextError when the data is not the text of an object */
export function valuesOfData(data: string | null): SecretValues {
  const fields = data === null ? [] : [...lastByKey(entriesOf(data))];
  return { data: Object.fromEntries(fields.map(([name, text]) => [formKey(name), text])) };
}

/** The same of what may not be read: the names alone. */
export function unseenValues(structure: string | null): SecretValues {
  const names = structure === null ? [] : [...lastByKey(entriesOf(structure)).keys()];
  return { data: Object.fromEntries(names.map((name) => [formKey(name), unseen])) };
}

/** The JSON text that stores these fields, a field a line where `indent` says so. */
export function dataOfValues({ data }: SecretValues, indent = false): string {
  return objectText(
    Object.entries(data).map(([key, text]) => ({ key: fieldName(key), text })),
    indent,
  );
}

/** Whether a text says exactly these fields, the last of each name and in their order, however it is spaced. */
export function saysExactly(text: string, { data }: SecretValues): boolean {
  const fields = [...lastByKey(entriesOf(text))];
  const wanted = Object.entries(data);
  return (
    fields.length === wanted.length &&
    fields.every(([name, value], index) => {
      const [key, other] = wanted[index] ?? [];
      return key === formKey(name) && other !== undefined && isSpacedOtherwise(value, other);
    })
  );
}

/** Fields as they are, but each that is known and differs by the space in it alone with its known text. */
export function withKnownTexts({ data }: SecretValues, ...known: readonly MapEntries[]): SecretValues {
  const textOf = (key: string, text: string): string =>
    known
      .map((entries) => (Object.hasOwn(entries, key) ? entries[key] : undefined))
      .find((other) => other !== undefined && isSpacedOtherwise(text, other)) ?? text;
  return { data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, textOf(key, text)])) };
}

/** Whether two texts of JSON are the same but for the space between their parts. */
function isSpacedOtherwise(one: string, other: string): boolean {
  return one === other || indentJson(one) === indentJson(other);
}

/** Names that a text holds more than once. @throws JsonTextError */
export function repeatedNames(text: string): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { key } of entriesOf(text)) (seen.has(key) ? repeated : seen).add(key);
  return [...repeated];
}

/** What is wrong with the text of a value, in a sentence; undefined where it is JSON. */
export function problemOfValue(text: string): string | undefined {
  try {
    checkJsonText(text);
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : "It can't be read"}. Put text in double quotes.`;
  }
}
