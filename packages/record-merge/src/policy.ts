/** How a field of a record is compared and merged; declared with the resource's schema. */
export type FieldPolicy =
  /** Compared by deep equality, chosen as a whole. */
  | { readonly kind: 'scalar' }
  /** An array of strings whose order is irrelevant. An absent or `null` set merges as an empty one. */
  | { readonly kind: 'set' }
  /** An object by key, with values merged by `values`. */
  | { readonly kind: 'map'; readonly values: FieldPolicy }
  /** An object with known fields; other fields merge by `rest`, or as scalars without it. */
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, FieldPolicy>>;
      readonly groups?: readonly Group[];
      readonly rest?: FieldPolicy;
    }
  /** An array of objects in any order, each identified by the field `key`. Use a scalar for an ordered array. */
  | { readonly kind: 'list'; readonly key: string; readonly item: FieldPolicy }
  /** A string merged line by line. */
  | { readonly kind: 'text' }
  /** An IAM policy document as JSON text: merged by statements, or by lines if it can't be parsed. */
  | { readonly kind: 'statements' }
  /** A secret: merged as a scalar, and masked in views. */
  | { readonly kind: 'opaque' };

/**
 * Fields of a record that conflict together, because a mixture of both sides would be meaningless. A group needs two
 * changed fields to conflict: a single field that both sides changed merges by its own policy (a set, for example, is
 * joined).
 */
export interface Group {
  readonly name: string;
  readonly fields: readonly string[];
}

/** The policy of a record, as {@link merge} requires. */
export type RecordPolicy = Extract<FieldPolicy, { kind: 'record' }>;

/** Policies of fields that contain other fields. */
export type ContainerPolicy = Extract<FieldPolicy, { kind: 'record' | 'map' | 'list' }>;

export const scalar: FieldPolicy = { kind: 'scalar' };
export const set: FieldPolicy = { kind: 'set' };
export const text: FieldPolicy = { kind: 'text' };
export const statements: FieldPolicy = { kind: 'statements' };
export const opaque: FieldPolicy = { kind: 'opaque' };

/** An object by key, with values merged by `values`. */
export function map(values: FieldPolicy): FieldPolicy {
  return { kind: 'map', values };
}

/** An array of objects, identified by their field `key` (a string or an integer, unique in the array). */
export function list(key: string, item: FieldPolicy): FieldPolicy {
  return { kind: 'list', key, item };
}

/** An object with known fields. @throws TypeError if a group names an undeclared field, or a field is in two groups */
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
