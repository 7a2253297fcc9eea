import { box as boxSchema, fieldsOfBox, type Box } from '@gatehouse/api-types/console/boxes';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { counted } from '#lib/counted.ts';
import { useDeleteBox } from '#queries/box-changes.ts';
import { forgetBox, type BoxPlace } from '#queries/boxes.ts';
import { boxForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { ConfirmStored } from '#routes/$environment/boxes/-editing/ConfirmStored.tsx';
import { PartsNote, type Part } from '#routes/$environment/boxes/-editing/PartsNote.tsx';

/** Asks for the name of the box to be typed, then deletes it with all its versions and images. */
export function DeleteBox({
  place,
  box,
  onClose,
}: {
  place: BoxPlace;
  box: Box;
  /** Told whether it is gone. */
  onClose: (isGone: boolean) => void;
}) {
  const queryClient = useQueryClient();
  const remove = useDeleteBox(place);
  const released = box.versions.filter(({ status }) => status === 'active').length;
  const images = box.versions.flatMap(({ providers }) => providers.filter(({ hosted }) => hosted)).length;
  const gone = (): void => {
    toasts.ok({ title: `Box ${box.tag} deleted` });
    onClose(true);
  };
  return (
    <ConfirmStored
      item={box}
      schema={boxSchema}
      spec={boxForm}
      fieldsOf={fieldsOfBox}
      revisionOf={({ whole_revision }) => whole_revision}
      noteOf={(seen, now) => (
        <PartsNote noun="Version" seen={seen.versions.map(partOf)} now={now.versions.map(partOf)} />
      )}
      title={`Delete box ${box.tag}?`}
      confirmLabel="Delete box"
      anywayLabel="Delete it anyway"
      typedName={box.tag}
      impacts={[
        ...(released > 0
          ? [
              {
                kind: 'breaks' as const,
                text: `Clients do not find ${counted(released, 'released version')} any more: machines that are made of it cannot be made anew or updated.`,
              },
            ]
          : []),
        {
          kind: 'worth-knowing',
          text: `Deleted with it: ${counted(box.versions.length, 'version')} and ${counted(images, 'image')} that the registry keeps. It was downloaded ${counted(box.downloads, 'time')}.`,
        },
        { kind: 'worth-knowing', text: 'It cannot be taken back.' },
      ]}
      mutation={remove}
      onDone={gone}
      onGone={() => {
        forgetBox(queryClient, place);
        gone();
      }}
      onCancel={() => {
        onClose(false);
      }}
    />
  );
}

function partOf({ version, whole_revision }: Box['versions'][number]): Part {
  return { name: version, revision: whole_revision };
}
