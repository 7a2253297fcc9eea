/** What both embedded registries answer alike. */
import * as z from 'zod/mini';

/** `GET /health`. */
export const health = z.object({
  version: z.string(),
  /** Whether its store of images or archives answers. */
  store_reachable: z.optional(z.boolean()),
});
