/** A secret's fields as a form edits and merges them: each value's JSON text, by key. */
import { checkJsonText, entriesOf, lastByKey, objectText } from '@gatehouse/api-types/console/json-text';
import type { MapEntries } from '#components/form/record-form.ts';
import { indentJson } from '#lib/indent-json.ts';
import { fieldName, formKey } from './form-keys.ts';

export interface SecretValues {
  data: MapEntries;
}

/** Stands for a value that wasn't read. It isn't valid JSON, so it can't be mistaken for one. */
export const unseen = '<unseen>';

/** A value that can't be read, of a version that someone else wrote, which may differ from the earlier one. */
export function unseenIn(revision: string): string {
  return `<unseen in ${revision}>`;
}

export function isUnseen(text: string | undefined): boolean {
  return text?.startsWith('<unseen') === true;
}

/** @throws JsonTextError if the data isn't an object's text */
export function valuesOfData(data: string | null): SecretValues {
  const fields = data === null ? [] : [...lastByKey(entriesOf(data))];
  return { data: Object.fromEntries(fields.map(([name, text]) => [formKey(name), text])) };
}

/** Fields whose values weren't read: only their names. */
export function unseenValues(structure: string | null): SecretValues {
  const names = structure === null ? [] : [...lastByKey(entriesOf(structure)).keys()];
  return { data: Object.fromEntries(names.map((name) => [formKey(name), unseen])) };
}

/** Only the fields whose values are known. */
export function knownValues({ data }: SecretValues): SecretValues {
  return { data: Object.fromEntries(Object.entries(data).filter(([, text]) => !isUnseen(text))) };
}

/** The fields, with the values found for those that weren't read. */
export function withFound({ data }: SecretValues, found: SecretValues): SecretValues {
  const entries = Object.entries(data).map(([key, text]) => {
    const isFound = isUnseen(text) && Object.hasOwn(found.data, key);
    return [key, isFound ? (found.data[key] ?? text) : text] as const;
  });
  return { data: Object.fromEntries(entries) };
}

/** The fields' JSON text; with `indent`, one field per line. */
export function dataOfValues({ data }: SecretValues, indent = false): string {
  return objectText(
    Object.entries(data).map(([key, text]) => ({ key: fieldName(key), text })),
    indent,
  );
}

/** Whether a text has exactly these fields in this order, ignoring whitespace. The last of a repeated name counts. */
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

/** The fields, with the known text of each value that differs from it only in whitespace. */
export function withKnownTexts({ data }: SecretValues, ...known: readonly MapEntries[]): SecretValues {
  const textOf = (key: string, text: string): string =>
    known
      .map((entries) => (Object.hasOwn(entries, key) ? entries[key] : undefined))
      .find((other) => other !== undefined && isSpacedOtherwise(text, other)) ?? text;
  return { data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, textOf(key, text)])) };
}

/** Whether two JSON texts differ only in whitespace. */
function isSpacedOtherwise(one: string, other: string): boolean {
  return one === other || indentJson(one) === indentJson(other);
}

/** Names that occur more than once. @throws JsonTextError */
export function repeatedNames(text: string): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { key } of entriesOf(text)) (seen.has(key) ? repeated : seen).add(key);
  return [...repeated];
}

/** What is wrong with a value's text; undefined if it is JSON. */
export function problemOfValue(text: string): string | undefined {
  try {
    checkJsonText(text);
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : "It can't be read"}. Put text in double quotes.`;
  }
}
