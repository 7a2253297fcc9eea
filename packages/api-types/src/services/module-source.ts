/**
 * What is read of a registry that modules are moved from. Each entry is read by itself, so that a broken one does not hide
 * the others; what is left out or of another form is empty.
 */
import * as z from 'zod/mini';
import { deprecation } from './module-registry.ts';

export { discovery, location } from './module-registry.ts';

const text = z.catch(z.string(), '');

const listedModule = z.object({ namespace: text, name: text, provider: text });

/** Lists and searches. */
export const sourceModulePage = z.object({
  meta: z.catch(z.object({ next_offset: z.catch(z.nullable(z.int()), null) }), { next_offset: null }),
  modules: z.array(z.catch(listedModule, { namespace: '', name: '', provider: '' })),
});

/** A module by itself. */
export const sourceModule = z.object({ description: text, source: text });

/** `…/versions`. */
export const sourceModuleVersions = z.object({
  modules: z.array(z.object({ versions: z.catch(z.array(z.unknown()), []) })),
});

export const sourceModuleVersion = z.object({
  version: z.string().check(z.minLength(1)),
  deprecation: z.catch(z.nullish(deprecation), null),
});
