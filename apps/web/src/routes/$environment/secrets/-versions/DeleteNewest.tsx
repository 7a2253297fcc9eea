import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { Secret } from '@gatehouse/api-types/console/secrets';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { folderHref, fullName, nameOf } from '#components/places/secrets.ts';
import { losingTargets } from '#components/source/losing-targets.ts';
import { useTargetsReading } from '#components/source/use-targets-reading.ts';
import { folderOf } from '#lib/folder-of.ts';
import { useDeleteNewest } from '#queries/secret-versions.ts';
import { forgetSecret } from '#queries/secrets.ts';
import type { ActionDialogProps } from '../secret-action.ts';
import { ConfirmVersions, useGuardedVersion } from './ConfirmVersions.tsx';
import { offerUndo } from './offer-undo.ts';
import { useUndelete } from './undelete-versions.ts';

/** Asks before deleting the newest version, which can be undeleted. */
export function DeleteNewest({ place, subject, onClose }: ActionDialogProps<Secret>) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeleteNewest(place);
  const undelete = useUndelete();
  const reading = useTargetsReading(place);
  const name = nameOf(place.path);
  const action = useGuardedVersion({
    place,
    revision: subject.revision,
    act: ({ revision }) => remove.mutateAsync({ revision }),
    onDone: (_, { revision }) => {
      offerUndo(place, {
        title: `Deleted version ${revision} of ${name}`,
        action: {
          label: 'Undelete',
          onPress: () => {
            undelete(place, [Number(revision)]);
          },
        },
      });
      onClose();
    },
    onGone: () => {
      toasts.info({ title: `${name} has been deleted` });
      forgetSecret(queryClient, place);
      onClose(folderHref({ ...place, path: folderOf(place.path) }));
    },
  });
  const { revision } = action.newer ?? action.seen;
  return (
    <ConfirmVersions
      place={place}
      action={action}
      title={`Delete version ${revision} of ${name}?`}
      confirmLabel={`Delete version ${revision}`}
      impacts={[
        ...losingTargets(reading, 'this secret', ' until the secret is undeleted or written again'),
        {
          kind: 'breaks',
          text: 'Programs that read the secret without a version find nothing until this version is undeleted or a new version is created.',
        },
        {
          kind: 'worth-knowing',
          text: 'The values are kept. You can undelete the version from the list of versions or the recycle bin. Older versions can still be read by number.',
        },
      ]}
      harm={at.secrets.delete.harm}
      onCancel={onClose}
    >
      <p>
        <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}.
      </p>
    </ConfirmVersions>
  );
}
