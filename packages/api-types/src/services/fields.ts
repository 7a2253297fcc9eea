/** Fields of services' answers. A field that a service omits, or sends as null, gets a default. */
import * as z from 'zod/mini';

/** A field with a default, which all answers share: a value that nobody changes. */
export const withDefault = <Schema extends z.ZodMiniType, Default>(schema: Schema, value: Default) =>
  z.pipe(
    z.nullish(schema),
    z.transform((sent) => sent ?? value),
  );

export const textField = withDefault(z.string(), '');
export const nullableText = withDefault(z.string(), null);
export const countField = withDefault(z.number(), 0);
export const nullableCount = withDefault(z.number(), null);
export const flagField = withDefault(z.boolean(), false);
export const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.nullish(z.array(item)),
    z.transform((sent) => sent ?? []),
  );

/** A record's ID. A longer one couldn't be a segment of a request's path. */
export const idField = z.string().check(z.maxLength(1_024));
export const idText = withDefault(idField, '');

/** A name in a list of names. Servers store keys of up to 32 KiB. */
export const keyField = z.string().check(z.maxLength(32_768));

/** A token or an address, which is sent in a request's head. Services accept heads of 16 KiB or a little more. */
export const headText = z.string().check(z.maxLength(16_384));

/** Longest number of a version, in UTF-16 code units. */
export const versionNumber = z.string().check(z.maxLength(1_024));

/** A long list, such as all versions. More entries are refused before they are read, because using them takes long. */
export const longList = z.array(z.unknown()).check(z.maxLength(20_000));
export const longListOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.pipe(
      z.nullish(longList),
      z.transform((sent) => sent ?? []),
    ),
    z.array(item),
  );

/** Replaces a missing or invalid value with the fallback, for answers of which any part may be useful. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema, fallback: z.output<Schema>) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((value): z.output<Schema> => {
      const result = z.safeParse(schema, value);
      return result.success ? result.data : fallback;
    }),
  );

/** Empty if missing or invalid. */
export const lenientText = lenient(z.string(), '');
