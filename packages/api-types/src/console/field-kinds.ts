/**
 * Properties of contract fields that schemas can't express, declared with each field. They determine how two edits of a
 * record merge, what the audit trail never stores, and what forms and commands for other clients never show.
 */
import {
  map,
  opaque,
  record,
  scalar,
  statements,
  text,
  type FieldPolicy,
  type Group,
  type RecordPolicy,
} from '@gatehouse/record-merge/policy';
import type * as z from 'zod/mini';

type Kind = 'secret' | 'trace' | 'text' | 'statements';
const kinds = new WeakMap<z.ZodMiniType, Kind>();

function marked<Schema extends z.ZodMiniType>(schema: Schema, kind: Kind): Schema {
  kinds.set(schema, kind);
  return schema;
}

/** A value that is or contains a secret: never stored or reported, merged as a whole and masked. */
// @__NO_SIDE_EFFECTS__
export function asSecret<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  return marked(schema, 'secret');
}

/**
 * The HMAC of a stored secret, which shows whether the secret changed. Not a secret itself, but merged and masked like
 * one.
 */
// @__NO_SIDE_EFFECTS__
export function asTrace<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  return marked(schema, 'trace');
}

/** Multi-line text, merged line by line. */
// @__NO_SIDE_EFFECTS__
export function asText<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  return marked(schema, 'text');
}

/** An IAM policy document, merged statement by statement. */
// @__NO_SIDE_EFFECTS__
export function asStatements<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  return marked(schema, 'statements');
}

const policyOfKind: Readonly<Record<Kind, FieldPolicy>> = { secret: opaque, trace: opaque, text, statements };

/** The parts of any schema in the contract. */
interface Parts {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
}

const partsOf = (schema: z.ZodMiniType): Parts => schema._zod.def;

/** The names of all secret members at any depth. */
export function secretsOf(schema: z.ZodMiniType): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (part: z.ZodMiniType): void => {
    const { shape = {}, innerType, element, valueType, options = [] } = partsOf(part);
    for (const [name, member] of Object.entries(shape)) {
      if (isSecret(member)) names.add(name);
      walk(member);
    }
    for (const inner of [innerType, element, valueType, ...options]) if (inner !== undefined) walk(inner);
  };
  walk(schema);
  return names;
}

/** The paths of all members at any depth, in the form that problems use: `attributes.address`. */
export function pathsOf(schema: z.ZodMiniType): readonly string[] {
  const { shape = {}, innerType, options = [] } = partsOf(schema);
  const inner = innerType === undefined ? options : [innerType, ...options];
  const members = Object.entries(shape).flatMap(([name, member]) => [
    name,
    ...pathsOf(member).map((path) => `${name}.${path}`),
  ]);
  return [...members, ...inner.flatMap(pathsOf)];
}

/** Whether a member is a secret, optional or not. */
function isSecret(schema: z.ZodMiniType): boolean {
  const { innerType } = partsOf(schema);
  return kinds.get(schema) === 'secret' || (innerType !== undefined && isSecret(innerType));
}

/**
 * The merge policy of a record: text merges by lines, a policy document by statements, an object by members, entries by
 * key, anything else as a whole.
 * @param fields the schema of the editable fields
 * @param more policies of fields that are edited elsewhere or merge differently
 */
// @__NO_SIDE_EFFECTS__
export function policyOf(
  fields: z.ZodMiniType,
  {
    groups,
    more,
  }: { readonly groups?: readonly Group[]; readonly more?: Readonly<Record<string, FieldPolicy>> } = {},
): RecordPolicy {
  const policies = Object.entries(partsOf(fields).shape ?? {}).map(([name, field]) => [
    name,
    fieldPolicy(field),
  ]);
  return record({ ...Object.fromEntries(policies), ...more }, groups === undefined ? {} : { groups });
}

function fieldPolicy(field: z.ZodMiniType): FieldPolicy {
  const kind = kinds.get(field);
  if (kind !== undefined) return policyOfKind[kind];
  const { type, shape, innerType, valueType } = partsOf(field);
  if (shape !== undefined) return policyOf(field);
  if (valueType !== undefined) return map(fieldPolicy(valueType));
  return innerType === undefined || type === 'nullable' ? scalar : fieldPolicy(innerType);
}
