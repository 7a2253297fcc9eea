import * as z from 'zod/mini';
import type { Wish } from '#audit/wish.ts';

/** What a call asked for, without its secrets; undefined where the contract knew another form then. */
export function wished<Schema extends z.ZodMiniType>(
  schema: Schema,
  { body }: Wish,
): z.output<Schema> | undefined {
  const result = z.safeParse(schema, body);
  return result.success ? result.data : undefined;
}
