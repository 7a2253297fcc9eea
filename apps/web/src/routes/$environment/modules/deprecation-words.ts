import type { Deprecation } from '@gatehouse/api-types/console/modules';
import { moduleHref, type ModuleView } from '#components/places/modules.ts';
import type { ModulePlace } from '#queries/modules.ts';

export const deprecationWords: Readonly<
  Record<
    Deprecation['state'],
    { readonly word: string; readonly noun: string; readonly tone: 'warn' | 'danger' }
  >
> = {
  deprecated: { word: 'Deprecated', noun: 'deprecation', tone: 'warn' },
  revoked: { word: 'Revoked', noun: 'revocation', tone: 'danger' },
};

/**
 * Opens a replacement: a version of the module, or another module with an optional `@version`. Undefined for anything
 * else.
 */
export function replacementHref(
  place: ModulePlace,
  replacement: string,
  versions: readonly string[],
): string | undefined {
  if (versions.includes(replacement)) return moduleHref(place, replacement);
  const [, namespace, name, provider, version] =
    /^(?:[^\s/@]+\.[^\s/@]+\/)?([\w-]+)\/([\w-]+)\/([\w-]+)(?:[@/](\d[^\s/@]*))?$/.exec(replacement) ?? [];
  if (namespace === undefined || name === undefined || provider === undefined) return undefined;
  const shown: ModuleView = version === undefined ? {} : { version };
  return moduleHref({ environment: place.environment, namespace, name, provider }, shown);
}
