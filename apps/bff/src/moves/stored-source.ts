import { checksumTypes } from '@gatehouse/api-types/console/boxes';
/** What the source told of an item, out of the rows of its plan: for a plan that only changes where the item goes. */
import { deprecation } from '@gatehouse/api-types/console/modules';
import { moveClash } from '@gatehouse/api-types/console/moves';
import * as z from 'zod/mini';
import type { ArchivePlace, SourceBox, SourceModule } from '#sources/source.ts';
import type { StoredItem } from './items.ts';

export function storedBox({ item, versions, pieces }: StoredItem): SourceBox {
  const [owner = '', name = ''] = item.name.split('/');
  return {
    owner,
    name,
    shortDescription: item.short_description,
    description: item.description,
    isPrivate: item.is_private === null || isGuessed(item) ? null : item.is_private === 1,
    problems: [],
    versions: versions.map((version) => ({
      version: version.version,
      description: version.description,
      status: version.status,
      images: pieces
        .filter(({ version_id }) => version_id === version.id)
        .map((piece) => ({
          provider: piece.provider,
          architecture: piece.architecture,
          isDefault: piece.is_default === null ? null : piece.is_default === 1,
          hosted: piece.hosted === 1,
          url: piece.url,
          checksum: piece.checksum,
          checksumType: checksumTypes.find((type) => type === piece.checksum_type) ?? null,
          size: piece.size,
        })),
    })),
  };
}

/** Whether it counts as private because the source does not say. */
function isGuessed({ clashes }: StoredItem['item']): boolean {
  return z.parse(z.array(moveClash), JSON.parse(clashes)).some(({ what }) => what === 'privacy-unknown');
}

export function storedModule({ item, versions, pieces }: StoredItem): {
  readonly module: SourceModule;
  readonly archives: readonly [version: string, place: ArchivePlace][];
} {
  const [namespace = '', name = '', provider = ''] = item.name.split('/');
  return {
    module: {
      namespace,
      name,
      provider,
      description: item.short_description,
      sourceUrl: item.source_url,
      problems: [],
      versions: versions.map(({ version, description }) => ({
        version,
        deprecation: deprecationIn(description),
      })),
    },
    archives: versions.flatMap(({ id, version }): [string, ArchivePlace][] => {
      const piece = pieces.find(({ version_id }) => version_id === id);
      if (piece === undefined) return [];
      const checksum = piece.checksum === '' ? '' : `${piece.checksum_type}:${piece.checksum}`;
      const place: ArchivePlace =
        piece.url === ''
          ? { kind: 'not-copied', reason: piece.plan_detail }
          : { kind: 'archive', url: piece.url, checksum, folder: '' };
      return [[version, place]];
    }),
  };
}

/** Why a version of a module should not be used, as it is kept with it; null where nothing is said. */
export function deprecationIn(text: string): z.output<typeof deprecation> | null {
  return text === '' ? null : z.parse(deprecation, JSON.parse(text));
}
