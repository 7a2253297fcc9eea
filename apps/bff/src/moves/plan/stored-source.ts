/** Rebuilds the source's answer about an item from its stored plan, if only the item's place changes. */
import { checksumTypes } from '@gatehouse/api-types/console/boxes';
import { deprecation } from '@gatehouse/api-types/console/modules';
import type { Slices } from '@gatehouse/service-kit/slices';
import * as z from 'zod/mini';
import type {
  ArchivePlace,
  SourceBox,
  SourceModule,
  SourceModuleVersion,
  SourceVersion,
} from '#sources/source.ts';
import { privacyOf, type StoredItem } from '../rows/items.ts';

export async function storedBox({ item, versions, pieces }: StoredItem, slices: Slices): Promise<SourceBox> {
  const [owner = '', name = ''] = item.name.split('/');
  const byVersion = Map.groupBy(pieces, ({ version_id }) => version_id);
  const found: SourceVersion[] = [];
  for (const { id, version, description, status } of versions) {
    await slices.giveWay();
    const images = (byVersion.get(id) ?? []).map((piece) => ({
      provider: piece.provider,
      architecture: piece.architecture,
      isDefault: piece.is_default === null ? null : piece.is_default === 1,
      hosted: piece.hosted === 1,
      url: piece.url,
      checksum: piece.checksum,
      checksumType: checksumTypes.find((type) => type === piece.checksum_type) ?? null,
      size: piece.size,
    }));
    found.push({ version, description, status, images });
  }
  const privacy = privacyOf(item.is_private);
  return {
    owner,
    name,
    shortDescription: item.short_description,
    description: item.description,
    isPrivate: privacy === 'assumed' ? null : privacy,
    problems: [],
    versions: found,
  };
}

export async function storedModule(
  { item, versions, pieces }: StoredItem,
  slices: Slices,
): Promise<{ readonly module: SourceModule; readonly archives: ReadonlyMap<string, ArchivePlace> }> {
  const [namespace = '', name = '', provider = ''] = item.name.split('/');
  const byVersion = new Map(pieces.map((piece) => [piece.version_id, piece]));
  const found: SourceModuleVersion[] = [];
  const archives = new Map<string, ArchivePlace>();
  for (const { id, version, description } of versions) {
    await slices.giveWay();
    found.push({ version, deprecation: deprecationIn(description) });
    const piece = byVersion.get(id);
    if (piece === undefined) continue;
    const checksum = piece.checksum === '' ? '' : `${piece.checksum_type}:${piece.checksum}`;
    archives.set(
      version,
      piece.url === ''
        ? { kind: 'not-copied', reason: piece.plan_detail }
        : { kind: 'archive', url: piece.url, checksum },
    );
  }
  return {
    module: {
      namespace,
      name,
      provider,
      description: item.short_description,
      sourceUrl: item.source_url,
      problems: [],
      versions: found,
    },
    archives,
  };
}

/** Why a module version shouldn't be used, as it is stored; null without a deprecation. */
export function deprecationIn(text: string): z.output<typeof deprecation> | null {
  return text === '' ? null : z.parse(deprecation, JSON.parse(text));
}
