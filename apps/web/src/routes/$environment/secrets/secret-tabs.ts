/** The views of a secret, each loaded when it is shown. */
import { lazy } from '@gatehouse/ui/lazy';
import type { ComponentType } from 'react';
import type { SecretTabId } from '#components/places/secret-search.ts';
import type { SecretTabProps } from './secret-tab-props.ts';

export interface SecretTab {
  readonly id: SecretTabId;
  readonly label: string;
  /** Scrolls on its own; fills the space below the header. */
  readonly Content: ComponentType<SecretTabProps>;
}

/** The data; the only view of secrets in unversioned engines. */
export const SecretData: ComponentType<SecretTabProps> = lazy(async () => ({
  default: (await import('./-fields/SecretData.tsx')).SecretData,
}));

export const secretTabs: readonly SecretTab[] = [
  { id: 'data', label: 'Data', Content: SecretData },
  {
    id: 'versions',
    label: 'Versions',
    Content: lazy(async () => ({ default: (await import('./-versions/VersionsTab.tsx')).VersionsTab })),
  },
  {
    id: 'metadata',
    label: 'Metadata',
    Content: lazy(async () => ({ default: (await import('./-metadata/MetadataTab.tsx')).MetadataTab })),
  },
];
