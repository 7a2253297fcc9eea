import type { Secret } from '@gatehouse/api-types/console/secrets';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { folderHref, fullName, nameOf } from '#components/places/secrets.ts';
import { wordsOf } from '#lib/error-words.ts';
import { folderOf } from '#lib/folder-of.ts';
import { useDeleteNewest } from '#queries/secret-versions.ts';
import { forgetSecret, staleSecret } from '#queries/secrets.ts';
import type { ActionDialogProps } from '../secret-actions.ts';
import { isGone, newerVersionOf, type NewerVersion } from './newer-version.ts';
import { NewerVersionBanner } from './NewerVersionBanner.tsx';
import { useUndelete } from './undelete-versions.ts';

/** Asks before the newest version is deleted in a way that can be undone. */
export function DeleteNewest({ place, subject, onClose }: ActionDialogProps<Secret>) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const remove = useDeleteNewest(place);
  const undelete = useUndelete();
  const [newer, setNewer] = useState<NewerVersion>();
  const revision = newer?.revision ?? subject.revision;
  const name = nameOf(place.path);
  const run = (): void => {
    remove.mutate(
      { revision },
      {
        onSuccess: () => {
          toasts.ok({
            title: `Deleted version ${revision} of ${name}`,
            action: {
              label: 'Bring back',
              onPress: () => {
                undelete(place, [Number(revision)]);
              },
            },
          });
          onClose();
        },
        onError: (error) => {
          if (isGone(error)) {
            toasts.info({ title: `${name} was removed by somebody else meanwhile` });
            forgetSecret(queryClient, place);
            onClose(folderHref({ ...place, path: folderOf(place.path) }));
            return;
          }
          const found = newerVersionOf(error);
          if (found === undefined) return;
          setNewer(found);
          staleSecret(queryClient, place);
        },
      },
    );
  };
  const isConflict = newerVersionOf(remove.error) !== undefined;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !remove.isPending) onClose();
      }}
      title={`Delete version ${revision} of ${name}?`}
      confirmLabel={`Delete version ${revision}`}
      impacts={[
        {
          kind: 'breaks',
          text: 'Who reads the secret without a version finds nothing until it is brought back, or a new version is written.',
        },
        {
          kind: 'worth-knowing',
          text: 'The values stay in storage: it can be brought back from its versions or the recycle bin. Older versions can still be read by their number.',
        },
      ]}
      {...(environment.kind === 'production' && { typedName: name })}
      isPending={remove.isPending}
      error={
        remove.isError && !isConflict
          ? `${wordsOf(remove.error).title}. ${wordsOf(remove.error).detail}`
          : undefined
      }
      onConfirm={run}
    >
      <div className="flex flex-col gap-3">
        <p>
          <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}.
        </p>
        {newer !== undefined && <NewerVersionBanner newer={newer} />}
      </div>
    </ConfirmDialog>
  );
}
