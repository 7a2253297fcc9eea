import { hasImage } from '@gatehouse/api-types/console/box-values';
import type { Box } from '@gatehouse/api-types/console/boxes';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { counted } from '#lib/counted.ts';
import type { BoxPlace } from '#queries/boxes.ts';
import { boxKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { PartsNote, type Part } from '#routes/$environment/boxes/-editing/PartsNote.tsx';

/** Asks for the box's name before deleting it with all its versions and images. */
export function DeleteBox({
  place,
  box,
  onClose,
}: {
  place: BoxPlace;
  box: Box;
  /** Called with whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const released = box.versions.filter(({ status }) => status === 'active').length;
  const images = box.versions.flatMap(({ providers }) => providers.filter(hasImage)).length;
  return (
    <DeleteRecord
      kind={boxKind}
      address={place}
      item={box}
      revisionOf={({ whole_revision }) => whole_revision}
      noteOf={(seen, now) => (
        <PartsNote noun="Version" seen={seen.versions.map(partOf)} now={now.versions.map(partOf)} />
      )}
      typedName={box.tag}
      impacts={[
        ...(released > 0
          ? [
              {
                kind: 'breaks' as const,
                text: `Clients can no longer find ${counted(released, 'released version')}. Machines that use this box can be created again only where it is already downloaded, and can't be updated.`,
              },
            ]
          : []),
        {
          kind: 'worth-knowing',
          text: `Deleted with the box: ${counted(box.versions.length, 'version')} and ${counted(images, 'image')} stored in the registry. The box was downloaded ${counted(box.downloads, 'time')}.`,
        },
      ]}
      remark="This can't be undone."
      onClose={onClose}
    />
  );
}

function partOf({ version, whole_revision }: Box['versions'][number]): Part {
  return { name: version, revision: whole_revision };
}
