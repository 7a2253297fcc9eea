import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Box, BoxVersion } from '@gatehouse/api-types/console/boxes';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { counted } from '#lib/counted.ts';
import type { VersionPlace } from '#queries/boxes.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { VersionNote } from '#routes/$environment/boxes/-version-grid/VersionNote.tsx';

/** Asks for the number before deleting a version with its images. */
export function DeleteVersion({
  place,
  box,
  version,
  onClose,
}: {
  place: VersionPlace;
  box: Box;
  version: BoxVersion;
  /** Called with whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const images = version.providers.filter(hasImage).length;
  const name = `${box.tag} ${version.version}`;
  return (
    <DeleteRecord
      kind={versionKind(place)}
      address={place.version}
      item={version}
      revisionOf={({ whole_revision }) => whole_revision}
      noteOf={(seen, now) => <VersionNote seen={seen} now={now} />}
      title={`Delete ${name}?`}
      doneWords={`${name} deleted`}
      typedName={version.version}
      impacts={
        version.status === 'active'
          ? [
              {
                kind: 'breaks' as const,
                text: 'Clients can no longer find it. Machines that use it can be created again only where it is already downloaded.',
              },
            ]
          : []
      }
      remark={`Deleted with it: ${counted(version.providers.length, 'provider')} and ${counted(images, 'image')} stored in the registry. This can't be undone.`}
      onClose={onClose}
    />
  );
}
