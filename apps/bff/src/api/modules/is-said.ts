import type { DeprecationFields, ModuleVersion } from '@gatehouse/api-types/console/modules';

/** Whether a version has the wanted deprecation; null for none. */
export function isSaid({ deprecation }: ModuleVersion, wanted: DeprecationFields | null): boolean {
  if (wanted === null || deprecation === null) return wanted === deprecation;
  return (
    deprecation.state === wanted.state &&
    deprecation.message === wanted.message &&
    deprecation.replacement === wanted.replacement
  );
}
