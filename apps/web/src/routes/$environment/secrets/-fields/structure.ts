import { entriesOf, kindOf, lastByKey } from '@gatehouse/api-types/console/json-text';

/** A field without its value. */
export interface FieldShape {
  readonly name: string;
  /** Names nested in its value: `host`, `credentials.user`. */
  readonly below: readonly string[];
}

/** The maximum number of nested names listed per field; the rest are counted. */
const mostBelow = 100;

/** The fields of a structure; null if it can't be read. */
export function fieldsIn(structure: string | null): readonly FieldShape[] | null {
  if (structure === null) return null;
  return [...lastByKey(entriesOf(structure))].map(([name, shape]) => ({
    name,
    below: kindOf(shape) === 'object' ? namesBelow(shape, '').slice(0, mostBelow) : [],
  }));
}

function namesBelow(shape: string, prefix: string): readonly string[] {
  return [...lastByKey(entriesOf(shape))].flatMap(([name, inner]) =>
    kindOf(inner) === 'object' ? namesBelow(inner, `${prefix}${name}.`) : [`${prefix}${name}`],
  );
}
