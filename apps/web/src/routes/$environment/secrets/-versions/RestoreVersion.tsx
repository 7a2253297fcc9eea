import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Time } from '#components/layout/Time.tsx';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useRestoreVersion } from '#queries/secret-versions.ts';
import { staleSecret, type SecretPlace } from '#queries/secrets.ts';
import { newerVersionOf, type NewerVersion } from './newer-version.ts';
import { NewerVersionBanner } from './NewerVersionBanner.tsx';

export interface RestoreVersionProps {
  place: SecretPlace;
  version: number;
  /** When it was written. */
  createdTime: string;
  /** The newest version that the person saw. */
  revision: string;
  onClose: (isRestored: boolean) => void;
}

/** Writes an older version's values as a new one. What was written meanwhile is not covered unseen. */
export function RestoreVersion({ place, version, createdTime, revision, onClose }: RestoreVersionProps) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const restore = useRestoreVersion(place);
  const [newer, setNewer] = useState<NewerVersion>();
  const seen = newer?.revision ?? revision;
  const run = (): void => {
    restore.mutate(
      { version, revision: seen },
      {
        onSuccess: (written) => {
          toasts.ok({
            title: `Version ${String(version)} of ${nameOf(place.path)} restored`,
            detail: `It is version ${String(written.version)} now.`,
          });
          onClose(true);
        },
        onError: (error) => {
          const found = newerVersionOf(error);
          if (found === undefined) return;
          setNewer(found);
          staleSecret(queryClient, place);
        },
      },
    );
  };
  const isConflict = newerVersionOf(restore.error) !== undefined;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !restore.isPending) onClose(false);
      }}
      title={`Restore version ${String(version)}?`}
      tone="primary"
      confirmLabel={
        newer === undefined
          ? `Restore version ${String(version)}`
          : `Restore it over version ${newer.revision}`
      }
      {...(environment.kind === 'production' && { typedName: nameOf(place.path) })}
      isPending={restore.isPending}
      error={
        restore.isError && !isConflict
          ? `${wordsOf(restore.error).title}. ${wordsOf(restore.error).detail}`
          : undefined
      }
      impacts={[
        {
          kind: 'worth-knowing',
          text: `What reads the secret gets these values from then on. Version ${seen} stays in the list, and can be restored the same way.`,
        },
      ]}
      onConfirm={run}
    >
      <div className="flex flex-col gap-3">
        <p>
          The values of version {version}, written <Time value={createdTime} isRelative />, become a new
          version of <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}.
          They are not shown.
        </p>
        {newer !== undefined && (
          <NewerVersionBanner
            newer={newer}
            compareHref={secretHref(place, { tab: 'versions', from: version, to: Number(newer.revision) })}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}
