import { revealedFieldsLimit } from '@gatehouse/api-types/console/secret-values';
import type { ToldVersion, VersionState } from '@gatehouse/api-types/console/secrets';
import { useState } from 'react';
import type { RecordForm } from '#components/form/use-record-form.ts';
import { ApiError } from '#lib/api-error.ts';
import { readValues, type SecretPlace } from '#queries/secrets.ts';
import type { SecretEditing } from '#routes/$environment/secrets/-editing/secret-editing.ts';
import { fieldName, formKey } from '#routes/$environment/secrets/-fields/form-keys.ts';
import {
  isUnseen,
  unseenIn,
  unseenValues,
  valuesOfData,
  withFound,
  type SecretValues,
} from '#routes/$environment/secrets/-fields/secret-values.ts';
import type { EditStart } from './begin-edit.ts';

/** The stored values that an edit has read so far. Activity records each reading as a reveal. */
export interface StoredValues {
  /** The stored data with null for every value, of the version that the form is based on. */
  readonly structure: string | null;
  /** The stored data, once all of it was read. */
  readonly whole: { readonly revision: string | null; readonly text: string } | undefined;
  /** Reads fields, or all, of the version that the form is based on. @throws ApiError */
  readonly learn: (names?: readonly string[]) => Promise<void>;
  /**
   * The values stored now. Reads only those of fields that you changed or revealed, which are compared by value.
   * @throws ApiError `not-found` for a version that has been deleted since then, which has nothing to merge
   */
  readonly theirsOf: (now: Pick<ToldVersion, 'revision' | 'state' | 'structure'>) => Promise<SecretValues>;
}

/** Reads stored values into an edit. @param formOf the form, which itself needs what this returns */
export function useStoredValues(
  place: SecretPlace,
  { canRead, isEmpty, ...start }: EditStart,
  { exactText }: Pick<SecretEditing, 'exactText'>,
  formOf: () => Pick<RecordForm<SecretValues>, 'methods' | 'stored' | 'learn'>,
): StoredValues {
  const [structure, setStructure] = useState(start.structure);
  const [whole, setWhole] = useState<StoredValues['whole']>();

  const reveal = async (revision: string | null, names?: readonly string[]) => {
    const isAll = names === undefined || names.length > revealedFieldsLimit;
    const { data } = await readValues(place, Number(revision), isAll ? undefined : names);
    if (data === null) throw new ApiError('not-found');
    const values = valuesOfData(data);
    return { text: data, values: names === undefined ? values : onlyNamed(values, names) };
  };

  const learn = async (names?: readonly string[]): Promise<void> => {
    const form = formOf();
    const { revision } = form.stored;
    const found = await reveal(revision, names);
    form.learn(revision, (values) => withFound(values, found.values));
    if (names !== undefined) return;
    exactText.current = found.text;
    setWhole({ revision, text: found.text });
  };

  const valuesNow: StoredValues['theirsOf'] = async ({ revision, state, structure: names }) => {
    const { stored, methods } = formOf();
    const mine = methods.getValues();
    if (canRead && !isEmpty && !isReadable(state)) throw new ApiError('not-found');
    if (!canRead) return blindValues(unseenValues(names), mine, revision);
    if (!isReadable(state)) return { data: {} };
    const touched = touchedFields(stored.record, mine);
    const unread = touched.filter((name) => isUnseen(stored.record.data[formKey(name)]));
    // If the version before can't be read any more, it counts as another one.
    if (unread.length > 0) await learn(unread).catch(() => undefined);
    const isWhole = isEmpty || whole !== undefined;
    if (touched.length === 0 && !isWhole) return unseenValues(names);
    const { values } = await reveal(revision, isWhole ? undefined : touched);
    return withFound(unseenValues(names), values);
  };

  return {
    structure,
    whole,
    learn,
    theirsOf: async (now) => {
      const values = await valuesNow(now);
      // If the values can't be read, the form stays based on the version before.
      setStructure(now.structure);
      return values;
    },
  };
}

function isReadable(state: VersionState): boolean {
  return state === 'readable' || state === 'scheduled';
}

function onlyNamed({ data }: SecretValues, names: readonly string[]): SecretValues {
  const keys = new Set(names.map((name) => formKey(name)));
  return { data: Object.fromEntries(Object.entries(data).filter(([key]) => keys.has(key))) };
}

/** The names of stored fields that were revealed, replaced or removed, and of new ones. */
function touchedFields(stored: SecretValues, mine: SecretValues): readonly string[] {
  const keys = new Set([...Object.keys(stored.data), ...Object.keys(mine.data)]);
  return [...keys]
    .filter((key) => !isUnseen(stored.data[key]) || !isUnseen(mine.data[key]))
    .map((key) => fieldName(key));
}

/** The names of another version whose values can't be read. Fields set here may have changed there too. */
function blindValues(names: SecretValues, set: SecretValues, revision: string): SecretValues {
  const entries = Object.entries(names.data).map(([key, text]) => {
    const wasSet = !isUnseen(set.data[key]);
    return [key, wasSet ? unseenIn(revision) : text] as const;
  });
  return { data: Object.fromEntries(entries) };
}
