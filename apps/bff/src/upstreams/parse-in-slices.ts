import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { Slices } from '@gatehouse/service-kit/slices';
import * as z from 'zod/mini';

/**
 * Checks a value like `z.parse`, but the elements of lists and records one by one, in slices, and only until one doesn't
 * match.
 * @throws ZodError
 */
export async function parseInSlices<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  slices: Pick<Slices, 'giveWay'>,
): Promise<z.output<Schema>> {
  return (await parsed(schema, value, slices)) as z.output<Schema>;
}

async function parsed(
  schema: z.core.$ZodType,
  value: unknown,
  slices: Pick<Slices, 'giveWay'>,
): Promise<unknown> {
  if (!hasLists(schema)) return z.parse(schema, value);
  if (schema instanceof z.ZodMiniPipe) {
    const { in: first, out } = schema.def;
    return parsed(out, await parsed(first, value, slices), slices);
  }
  if (isOptional(schema) && value !== undefined && value !== null)
    return parsed(schema.def.innerType, value, slices);
  if (schema instanceof z.ZodMiniUnion) {
    const option = schema.def.options.find((one) =>
      Array.isArray(value) ? one instanceof z.ZodMiniArray : isRecord(one) && isJsonObject(value),
    );
    return option === undefined ? z.parse(schema, value) : parsed(option, value, slices);
  }
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      await slices.giveWay();
      items.push(await parsed(schema.def.element, item, slices));
    }
    return items;
  }
  if (schema instanceof z.ZodMiniObject && isJsonObject(value)) {
    const members: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.def.shape)) {
      const read: unknown = await parsed(member, value[name], slices);
      if (read !== undefined || Object.hasOwn(value, name)) members[name] = read;
    }
    if (schema.def.catchall === undefined) return members;
    for (const name of Object.keys(value)) {
      await slices.giveWay();
      if (!Object.hasOwn(schema.def.shape, name) && name !== '__proto__') members[name] = value[name];
    }
    return members;
  }
  if (isRecord(schema) && isJsonObject(value)) {
    const members: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      await slices.giveWay();
      // Like zod: assigning it would not create a member.
      if (name !== '__proto__') members[name] = await parsed(schema.def.valueType, value[name], slices);
    }
    return members;
  }
  return z.parse(schema, value);
}

const known = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a schema has lists or records whose elements are checked. Schemas with checks of their own are checked whole. */
function hasLists(schema: z.core.$ZodType): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    found =
      (schema._zod.def.checks ?? []).length === 0 &&
      partsOf(schema).some((one) => one === true || hasLists(one));
    known.set(schema, found);
  }
  return found;
}

function partsOf(schema: z.core.$ZodType): readonly (z.core.$ZodType | true)[] {
  if (schema instanceof z.ZodMiniArray) return schema.def.element instanceof z.ZodMiniUnknown ? [] : [true];
  if (isRecord(schema)) return schema.def.valueType instanceof z.ZodMiniUnknown ? [] : [true];
  if (schema instanceof z.ZodMiniPipe) return [schema.def.in, schema.def.out];
  if (isOptional(schema)) return [schema.def.innerType];
  if (schema instanceof z.ZodMiniUnion) return schema.def.options;
  if (schema instanceof z.ZodMiniObject) {
    const { catchall, shape } = schema.def;
    return catchall === undefined || catchall instanceof z.ZodMiniUnknown ? Object.values(shape) : [];
  }
  return [];
}

function isRecord(schema: z.core.$ZodType): schema is z.ZodMiniRecord {
  return schema instanceof z.ZodMiniRecord && schema.def.keyType instanceof z.ZodMiniString;
}

function isOptional(schema: z.core.$ZodType): schema is z.ZodMiniOptional | z.ZodMiniNullable {
  return schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable;
}
