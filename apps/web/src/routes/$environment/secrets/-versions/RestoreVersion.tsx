import { toasts } from '@gatehouse/ui/toast';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { useRestoreVersion } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { ConfirmVersions, useGuardedVersion } from './ConfirmVersions.tsx';

export interface RestoreVersionProps {
  place: SecretPlace;
  version: number;
  /** When the version was written. */
  createdTime: string;
  /** The newest version you saw. */
  revision: string;
  onClose: (isRestored: boolean) => void;
}

/** Writes an older version's values as a new version. Asks again if a newer version was written since then. */
export function RestoreVersion({ place, version, createdTime, revision, onClose }: RestoreVersionProps) {
  const environment = useEnvironment();
  const restore = useRestoreVersion(place);
  const action = useGuardedVersion({
    place,
    revision,
    act: (seen) => restore.mutateAsync({ version, revision: seen.revision }),
    onDone: (written) => {
      toasts.ok({
        title: `Version ${String(version)} of ${nameOf(place.path)} restored`,
        detail: `It is now version ${String(written.version)}.`,
      });
      onClose(true);
    },
  });
  const { newer, seen } = action;
  return (
    <ConfirmVersions
      place={place}
      action={action}
      title={`Restore version ${String(version)}?`}
      tone="primary"
      confirmLabel={
        newer === undefined ? `Restore version ${String(version)}` : `Restore over version ${newer.revision}`
      }
      impacts={[
        {
          kind: 'worth-knowing',
          text: `Programs that read the secret will get these values. Version ${(newer ?? seen).revision} stays in the list, and can be restored the same way.`,
        },
      ]}
      compareHref={({ revision: to }) =>
        secretHref(place, { tab: 'versions', from: version, to: Number(to) })
      }
      onCancel={() => {
        onClose(false);
      }}
    >
      <p>
        The values of version {version}, written <Time value={createdTime} isRelative />, become a new version
        of <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}. They are not
        shown.
      </p>
    </ConfirmVersions>
  );
}
