import type { ModulesMay } from '@gatehouse/api-types/console/modules';

/** Why the person cannot publish or deprecate versions; undefined where they can, or the registry does not tell. */
export function reasonAgainstPublishing(may: ModulesMay): string | undefined {
  if (may === null || may.publish) return undefined;
  return 'Your role in the module registry is read-only.';
}

/** Why the person cannot delete versions or verify modules; undefined where they can, or the registry does not tell. */
export function reasonAgainstManaging(may: ModulesMay): string | undefined {
  if (may === null || may.manage) return undefined;
  return 'Only administrators of the module registry can do this.';
}
