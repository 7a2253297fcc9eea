import { entriesOf, kindOf, lastByKey } from '@gatehouse/api-types/console/json-text';

/** A field of a secret, as far as it is known without its value. */
export interface FieldShape {
  readonly name: string;
  /** Names in it, where its value holds others: `host`, `credentials.user`. */
  readonly below: readonly string[];
}

/** Names in one field that are listed; of more it is said how many. */
const mostBelow = 100;

/** The fields in a structure; null where it may not be read. */
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
