import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';

export interface ManageProps {
  environment: string;
  module: Module;
  version: ModuleVersion;
}

/** What can be done with a version. */
export function VersionMenu(_: ManageProps) {
  return null;
}
