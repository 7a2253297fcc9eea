import * as z from 'zod/mini';

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
