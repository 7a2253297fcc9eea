/** The views of one secret. Each is fetched when it is shown. */
import type { Secret } from '@gatehouse/api-types/console/secrets';
import { lazy, type ComponentType } from 'react';
import type { SecretTabId } from '#components/places/secret-search.ts';
import type { SecretPlace } from '#queries/secrets.ts';

export interface SecretTabProps {
  readonly place: SecretPlace;
  /** Of the version that the address names, without values. */
  readonly secret: Secret;
}

export interface SecretTab {
  readonly id: SecretTabId;
  readonly label: string;
  /** Scrolls by itself; it fills what the header leaves. */
  readonly Content: ComponentType<SecretTabProps>;
}

export const secretTabs: readonly SecretTab[] = [
  {
    id: 'data',
    label: 'Data',
    Content: lazy(async () => ({ default: (await import('./-fields/SecretData.tsx')).SecretData })),
  },
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
