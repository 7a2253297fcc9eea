import { boxVersion, fieldsOfVersion, type Box, type BoxVersion } from '@gatehouse/api-types/console/boxes';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#lib/counted.ts';
import { useDeleteVersion } from '#queries/box-changes.ts';
import { staleBox, type VersionPlace } from '#queries/boxes.ts';
import { versionForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { ConfirmStored } from '#routes/$environment/boxes/-editing/ConfirmStored.tsx';
import { PartsNote, type Part } from '#routes/$environment/boxes/-editing/PartsNote.tsx';
import { StateNote } from './StateNote.tsx';

/** Asks for the number to be typed, then deletes a version with its images. */
export function DeleteVersion({
  place,
  box,
  version,
  onClose,
}: {
  place: VersionPlace;
  box: Box;
  version: BoxVersion;
  /** Told whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const queryClient = useQueryClient();
  const remove = useDeleteVersion(place);
  const images = version.providers.filter(({ hosted }) => hosted).length;
  const gone = (): void => {
    toasts.ok({ title: `${box.tag} ${version.version} deleted` });
    onClose(true);
  };
  return (
    <ConfirmStored
      item={version}
      schema={boxVersion}
      spec={versionForm}
      fieldsOf={fieldsOfVersion}
      revisionOf={({ whole_revision }) => whole_revision}
      noteOf={(seen, now) => (
        <>
          <StateNote seen={seen} now={now} />
          <PartsNote noun="Provider" seen={seen.providers.map(partOf)} now={now.providers.map(partOf)} />
        </>
      )}
      title={`Delete ${box.tag} ${version.version}?`}
      confirmLabel="Delete version"
      anywayLabel="Delete it anyway"
      typedName={version.version}
      impacts={[
        ...(version.status === 'active'
          ? [
              {
                kind: 'breaks' as const,
                text: 'Clients do not find it any more; machines that name it cannot be made anew.',
              },
            ]
          : []),
        {
          kind: 'worth-knowing',
          text: `Deleted with it: ${counted(version.providers.length, 'provider')} and ${counted(images, 'image')} that the registry keeps. It cannot be taken back.`,
        },
      ]}
      mutation={remove}
      onDone={gone}
      onGone={() => {
        staleBox(queryClient, place);
        gone();
      }}
      onCancel={() => {
        onClose(false);
      }}
    />
  );
}

function partOf({ name, revision, available }: BoxVersion['providers'][number]): Part {
  return { name, revision: `${revision} ${available}` };
}
