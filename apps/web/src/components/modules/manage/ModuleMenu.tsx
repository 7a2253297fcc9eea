import type { ManageProps } from './VersionMenu.tsx';

/** What can be done with a module. */
export function ModuleMenu(_: ManageProps) {
  return null;
}
