/**
 * Answers of a registry that modules are moved from. Each entry is parsed separately, so that a broken one doesn't hide
 * the others; missing or invalid values are empty.
 */
import * as z from 'zod/mini';
import { lenient, lenientText } from './lenient.ts';
import { deprecation } from './module-registry.ts';

export { discovery, location } from './module-registry.ts';

const listedModule = z.object({ namespace: lenientText, name: lenientText, provider: lenientText });

/** Lists and searches. */
export const sourceModulePage = z.object({
  meta: lenient(z.object({ next_offset: lenient(z.nullable(z.int()), null) }), { next_offset: null }),
  modules: z.array(lenient(listedModule, { namespace: '', name: '', provider: '' })),
});

/** A single module. */
export const sourceModule = z.object({ description: lenientText, source: lenientText });

/** `…/versions`. */
export const sourceModuleVersions = z.object({
  modules: z.array(z.object({ versions: lenient(z.array(z.unknown()), []) })),
});

export const sourceModuleVersion = z.object({
  version: z.string().check(z.minLength(1)),
  deprecation: lenient(z.nullish(deprecation), null),
});
