import type { DeprecationFields, ModuleVersion } from '@gatehouse/api-types/console/modules';

/** Whether of a version is said what was to be said; null for nothing. */
export function isSaid({ deprecation }: ModuleVersion, wanted: DeprecationFields | null): boolean {
  if (wanted === null || deprecation === null) return wanted === deprecation;
  return (
    deprecation.state === wanted.state &&
    deprecation.message === wanted.message &&
    deprecation.replacement === wanted.replacement
  );
}
