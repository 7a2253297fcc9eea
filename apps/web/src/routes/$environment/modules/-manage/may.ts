import type { ModulesMay } from '@gatehouse/api-types/console/modules';

/** Why the user can't publish or deprecate versions; undefined if they can, or if the registry doesn't say. */
export function reasonAgainstPublishing(may: ModulesMay): string | undefined {
  if (may === null || may.publish) return undefined;
  return 'Your role in the module registry is read-only.';
}

/** Why the user can't delete versions or verify modules; undefined if they can, or if the registry doesn't say. */
export function reasonAgainstManaging(may: ModulesMay): string | undefined {
  if (may === null || may.manage) return undefined;
  return 'Only administrators of the module registry can do this.';
}
