import * as z from 'zod/mini';
import type { Wish } from '#audit/wish.ts';

/** A recorded call's body, without its secrets; undefined if it doesn't match the contract any more. */
export function wished<Schema extends z.ZodMiniType>(
  schema: Schema,
  { body }: Wish,
): z.output<Schema> | undefined {
  const result = z.safeParse(schema, body);
  return result.success ? result.data : undefined;
}
