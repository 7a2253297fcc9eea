import { roundedNumbers, type RoundedNumber } from '@gatehouse/api-types/console/json-text';
import type { MapEntries } from '#components/form/record-form.ts';
import { fieldName } from '../-fields/form-keys.ts';
import { isUnseen, problemOfValue } from '../-fields/secret-values.ts';

/** The numbers in a form's fields that a server rounds when it reads them as doubles, by the names of their fields. */
export function roundedIn(
  entries: MapEntries,
): readonly (Pick<RoundedNumber, 'becomes'> & { readonly name: string })[] {
  return Object.entries(entries).flatMap(([key, text]) =>
    // What is still being written is no JSON yet.
    !/\d/.test(text) || isUnseen(text) || problemOfValue(text) !== undefined
      ? []
      : roundedNumbers(text).map(({ pointer, becomes }) => ({
          name: `${fieldName(key)}${pointer}`,
          becomes,
        })),
  );
}
