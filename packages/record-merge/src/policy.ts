/** How one field of a record is compared and merged. Declared beside the schema of the resource. */
export type FieldPolicy =
  /** Compared by deep equality, chosen as a whole. */
  | { readonly kind: 'scalar' }
  /** An array of strings whose order means nothing; an absent or `null` set merges as an empty one. */
  | { readonly kind: 'set' }
  /** An object by key; each value is merged by `values`. */
  | { readonly kind: 'map'; readonly values: FieldPolicy }
  /** An object of known fields; a field that is not declared is merged by `rest`, without it as a scalar. */
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, FieldPolicy>>;
      readonly groups?: readonly Group[];
      readonly rest?: FieldPolicy;
    }
  /** An array of objects, each identified by the field `key`, whose order means nothing. An ordered array is a scalar. */
  | { readonly kind: 'list'; readonly key: string; readonly item: FieldPolicy }
  /** A string merged line by line. */
  | { readonly kind: 'text' }
  /** A policy document of IAM, as JSON text: merged statement by statement; one that cannot be read, line by line. */
  | { readonly kind: 'statements' }
  /** A secret: merged as a scalar; the kind tells a view to mask it. */
  | { readonly kind: 'opaque' };

/**
 * Fields of one record that conflict as one, because a mixture of both sides would be meaningless. That takes two
 * fields: where both sides changed the same single one, it merges by its own policy (a set, for example, is joined).
 */
export interface Group {
  readonly name: string;
  readonly fields: readonly string[];
}

/** The policy of a record, which is what {@link merge} takes. */
export type RecordPolicy = Extract<FieldPolicy, { kind: 'record' }>;

/** Policies of fields that hold other fields. */
export type ContainerPolicy = Extract<FieldPolicy, { kind: 'record' | 'map' | 'list' }>;

export const scalar: FieldPolicy = { kind: 'scalar' };
export const set: FieldPolicy = { kind: 'set' };
export const text: FieldPolicy = { kind: 'text' };
export const statements: FieldPolicy = { kind: 'statements' };
export const opaque: FieldPolicy = { kind: 'opaque' };

/** An object by key, each value merged by `values`. */
export function map(values: FieldPolicy): FieldPolicy {
  return { kind: 'map', values };
}

/** An array of objects, identified by their field `key` (a string or an integer, unique in the array). */
export function list(key: string, item: FieldPolicy): FieldPolicy {
  return { kind: 'list', key, item };
}

/**
 * An object of known fields.
 * @throws TypeError when a group names a field that is not declared, or a field is in two groups.
 */
export function record(
  fields: Readonly<Record<string, FieldPolicy>>,
  options: { readonly groups?: readonly Group[]; readonly rest?: FieldPolicy } = {},
): RecordPolicy {
  const groupOf = new Map<string, string>();
  for (const group of options.groups ?? []) {
    for (const field of group.fields) {
      if (!Object.hasOwn(fields, field)) {
        throw new TypeError(
          `Group "${group.name}" names the field "${field}", which the record does not declare.`,
        );
      }
      const other = groupOf.get(field);
      if (other !== undefined) {
        throw new TypeError(
          `Field "${field}" is in the groups "${other}" and "${group.name}"; it can be in one.`,
        );
      }
      groupOf.set(field, group.name);
    }
  }
  return { kind: 'record', fields, ...options };
}
