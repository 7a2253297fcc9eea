import { hasImage, providerLabel } from '@gatehouse/api-types/console/box-values';
import type { BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { byteSize } from '#lib/byte-size.ts';
import type { ProviderPlace } from '#queries/boxes.ts';
import { providerKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';

/** Asks before deleting a provider with its image; requires its name if the version is released. */
export function DeleteProvider({
  place,
  version,
  provider,
  onClose,
}: {
  place: ProviderPlace;
  version: BoxVersion;
  provider: Provider;
  onClose: () => void;
}) {
  const called = providerLabel(provider);
  const isReleased = version.status === 'active';
  return (
    <DeleteRecord
      kind={providerKind(place, true)}
      address={place}
      item={provider}
      title={`Delete provider ${called} of ${version.version}?`}
      typedName={provider.name}
      impacts={
        isReleased
          ? [
              {
                kind: 'breaks' as const,
                text: `Clients can no longer download version ${version.version} for ${called}.`,
              },
            ]
          : []
      }
      remark={
        hasImage(provider)
          ? `Its image is deleted with it${provider.size === null ? '' : ` (${byteSize(provider.size)})`}. This can't be undone.`
          : `${provider.hosted ? 'It has no image yet.' : "Its image is stored elsewhere and isn't deleted."} This can't be undone.`
      }
      onClose={onClose}
    />
  );
}
