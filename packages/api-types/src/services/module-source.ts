/**
 * Answers of a registry that modules are moved from. Each entry is parsed separately, so that a broken one doesn't hide
 * the others; missing or invalid values are empty.
 */
import * as z from 'zod/mini';
import { lenient, lenientText } from './fields.ts';
import { deprecation } from './module-registry.ts';

export { discovery, location } from './module-registry.ts';

/** Lists and searches. */
export const sourceModulePage = z.object({
  meta: lenient(z.object({ next_offset: lenient(z.nullable(z.int()), null) }), { next_offset: null }),
  modules: z.array(z.unknown()),
});

/** An entry of either. */
export const listedModule = lenient(
  z.object({ namespace: lenientText, name: lenientText, provider: lenientText }),
  { namespace: '', name: '', provider: '' },
);
export type WireListedModule = z.output<typeof listedModule>;

/** A single module. */
export const sourceModule = z.object({ description: lenientText, source: lenientText });

/** `…/versions`: the requested module, and then its dependencies. */
export const sourceModuleVersions = z.object({ modules: z.array(z.unknown()) });

/** The requested module. */
export const versionedModule = z.object({ versions: lenient(z.array(z.unknown()), []) });

export const sourceModuleVersion = z.object({
  version: z.string().check(z.minLength(1)),
  deprecation: lenient(z.nullish(deprecation), null),
});
