import type { ReactNode } from 'react';
import type { ManageProps } from './VersionMenu.tsx';

/** What can be done with a module. */
export const ModuleMenu: (props: ManageProps) => ReactNode = () => null;
