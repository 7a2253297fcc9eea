import type { Module, ModuleVersion } from '@gatehouse/api-types/console/modules';
import type { ReactNode } from 'react';

export interface ManageProps {
  environment: string;
  module: Module;
  version: ModuleVersion;
}

/** What can be done with a version. */
export const VersionMenu: (props: ManageProps) => ReactNode = () => null;
