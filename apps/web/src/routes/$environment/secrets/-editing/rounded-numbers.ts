import { roundedNumbers, type RoundedNumber } from '@gatehouse/api-types/console/json-text';
import type { MapEntries } from '#components/form/record-form.ts';
import { fieldName } from '../-fields/form-keys.ts';
import { isUnseen, problemOfValue } from '../-fields/secret-values.ts';

/** The numbers that a server rounds when it reads them as doubles, with their field names. */
export function roundedIn(
  entries: MapEntries,
): readonly (Pick<RoundedNumber, 'becomes'> & { readonly name: string })[] {
  return Object.entries(entries).flatMap(([key, text]) =>
    // A value being typed may not be JSON yet.
    !/\d/.test(text) || isUnseen(text) || problemOfValue(text) !== undefined
      ? []
      : roundedNumbers(text).map(({ pointer, becomes }) => ({
          name: `${fieldName(key)}${pointer}`,
          becomes,
        })),
  );
}
