import { keyOfPair } from '@gatehouse/ui/pairs-field';
import * as z from 'zod/mini';

/** Validates pairs, and reports problems of single keys at the field that contains them all. */
export function pairsSchema(schema: z.ZodMiniType<Record<string, string>, Record<string, string>>) {
  return z.record(z.string(), z.string()).check(
    z.superRefine((pairs, context) => {
      const repeated = Object.keys(pairs)
        .map(keyOfPair)
        .find(({ isRepeated }) => isRepeated);
      if (repeated !== undefined) {
        context.addIssue({ code: 'custom', message: `The key "${repeated.key}" appears more than once.` });
        return;
      }
      const checked = schema.safeParse(pairs);
      for (const { path, message } of checked.error?.issues ?? []) {
        const key = path.at(-1);
        context.addIssue({
          code: 'custom',
          message:
            key === undefined
              ? message
              : key === ''
                ? 'Enter a key for each value.'
                : `${String(key)}: ${message}`,
        });
      }
    }),
  );
}
