import { entriesOf, lastByKey } from '@gatehouse/api-types/console/json-text';

/** The names of the fields in a structure; null where it may not be read. */
export function namesIn(structure: string | null): readonly string[] | null {
  return structure === null ? null : [...lastByKey(entriesOf(structure)).keys()];
}
