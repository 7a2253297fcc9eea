import * as z from 'zod/mini';

/** What is of another form, or missing, counts as the fallback: for answers of which any part may be of use. */
export const lenient = <Schema extends z.ZodMiniType>(schema: Schema, fallback: z.output<Schema>) =>
  z.pipe(
    z.optional(z.unknown()),
    z.transform((value): z.output<Schema> => {
      const result = z.safeParse(schema, value);
      return result.success ? result.data : fallback;
    }),
  );

/** Empty where there is none. */
export const lenientText = lenient(z.string(), '');
