import { membersOf, type JsonNode } from '@gatehouse/api-types/console/json-text';

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
  return [...new Map(membersOf(structure))].map(([name, { members }]) => ({
    name,
    below: members === undefined ? [] : namesBelow(members, '').slice(0, mostBelow),
  }));
}

function namesBelow(shape: NonNullable<JsonNode['members']>, prefix: string): readonly string[] {
  return [...new Map(shape)].flatMap(([name, { members }]) =>
    members === undefined ? [`${prefix}${name}`] : namesBelow(members, `${prefix}${name}.`),
  );
}
