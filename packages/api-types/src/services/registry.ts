/** Answers that both embedded registries have in common. */
import * as z from 'zod/mini';

/** `GET /health`. */
export const health = z.object({
  version: z.string(),
  /** Whether its object store answers. */
  store_reachable: z.optional(z.boolean()),
});
