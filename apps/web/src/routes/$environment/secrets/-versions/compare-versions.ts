/** Compares two versions of a secret field by field. */
import { membersOf, sameJson, sliceOf, type JsonNode } from '@gatehouse/api-types/console/json-text';

export interface FieldComparison {
  /** Names from the outermost object inwards; usually one. */
  readonly path: readonly string[];
  /** `unknown`: both have it, but the values weren't or can't be read. */
  readonly change: 'added' | 'removed' | 'changed' | 'same' | 'unknown';
  /** The value's JSON text; undefined if this version lacks it, or only structures are compared. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A nested field's name. */
export function fieldName(path: readonly string[]): string {
  return path.join(' › ');
}

/**
 * Compares the data of two versions, or their structure, which has only names. In the order of the later version; its
 * missing fields follow the field that preceded them.
 * @throws JsonTextError if a text isn't an object's
 */
export function compareVersions(
  before: string,
  after: string,
  what: 'values' | 'structure',
): readonly FieldComparison[] {
  const [old, current] = [fieldsOf(before), fieldsOf(after)];
  const isValues = what === 'values';
  return inOrder([...old.keys()], [...current.keys()]).map((key) => {
    const [was, is] = [old.get(key), current.get(key)];
    const path = (is ?? was)?.path ?? [];
    const change =
      was === undefined
        ? 'added'
        : is === undefined
          ? 'removed'
          : !isValues
            ? 'unknown'
            : sameJson(was.text, is.text)
              ? 'same'
              : 'changed';
    return { path, change, before: isValues ? was?.text : undefined, after: isValues ? is?.text : undefined };
  });
}

interface Field {
  readonly path: readonly string[];
  readonly text: string;
}

/** Every value that isn't an object, and empty objects, by path. Lists are single values. */
function fieldsOf(text: string): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  const visit = (members: JsonNode['members'], path: readonly string[]): void => {
    for (const [key, value] of new Map(members)) {
      const own = [...path, key];
      if ((value.members ?? []).length > 0) visit(value.members, own);
      else fields.set(JSON.stringify(own), { path: own, text: sliceOf(text, value) });
    }
  };
  visit(membersOf(text), []);
  return fields;
}

/** The keys of `after` in order, each followed by the keys of only `before` that came after it. */
function inOrder(before: readonly string[], after: readonly string[]): readonly string[] {
  const kept = new Set(after);
  const behind = new Map<string | undefined, string[]>();
  let last: string | undefined;
  for (const key of before) {
    if (kept.has(key)) last = key;
    else behind.set(last, [...(behind.get(last) ?? []), key]);
  }
  return [...(behind.get(undefined) ?? []), ...after.flatMap((key) => [key, ...(behind.get(key) ?? [])])];
}

/** `2 changed, 1 added, 3 the same`, without zeros. */
export function comparisonInWords(fields: readonly FieldComparison[]): string {
  const words = [
    ['changed', 'changed'],
    ['added', 'added'],
    ['removed', 'removed'],
    ['unknown', 'in both'],
    ['same', 'the same'],
  ] as const;
  const parts = words
    .map(([change, word]) => ({ word, count: fields.filter((field) => field.change === change).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count.toLocaleString('en')} ${word}`);
  return parts.length === 0 ? 'No fields' : parts.join(', ');
}
