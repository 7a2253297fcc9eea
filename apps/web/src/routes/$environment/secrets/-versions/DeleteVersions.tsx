import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { fullName, nameOf } from '#components/places/secrets.ts';
import { useGuarded } from '#components/record/use-guarded.ts';
import { useChangeVersions } from '#queries/secret-versions.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { ConfirmVersions } from './ConfirmVersions.tsx';
import { offerUndo } from './offer-undo.ts';
import { useUndelete } from './undelete-versions.ts';
import type { VersionRow } from './version-rows.ts';
import { countVersions, isReadable, versionsInWords } from './version-words.ts';

export interface VersionsDialogProps {
  place: SecretPlace;
  rows: readonly VersionRow[];
  onClose: () => void;
}

/** Asks before deleting versions, which can be undeleted. */
export function DeleteVersions({ place, rows, onClose }: VersionsDialogProps) {
  const environment = useEnvironment();
  const change = useChangeVersions('delete');
  const undelete = useUndelete();
  const affected = rows.filter(isReadable);
  const versions = affected.map(({ version }) => version);
  const words = versionsInWords(versions);
  const impacts: Impact[] = [];
  if (affected.some(({ isCurrent }) => isCurrent)) {
    impacts.push({
      kind: 'breaks',
      text: 'This includes the current version. Programs that read the secret find nothing until the current version is undeleted or a new version is created.',
    });
  }
  impacts.push({
    kind: 'worth-knowing',
    text: 'The values are kept and can be undeleted while the versions are kept.',
  });
  const action = useGuarded<undefined, unknown>({
    item: undefined,
    act: () => change.mutateAsync({ place, versions, createdTimes: affected.map((row) => row.created_time) }),
    newerOf: () => undefined,
    onDone: () => {
      offerUndo(place, {
        title: `Deleted ${words} of ${nameOf(place.path)}`,
        action: {
          label: 'Undelete',
          onPress: () => {
            undelete(place, versions);
          },
        },
      });
      onClose();
    },
  });
  return (
    <ConfirmVersions
      place={place}
      action={action}
      title={`Delete ${words}?`}
      confirmLabel={`Delete ${countVersions(versions.length)}`}
      impacts={impacts}
      harm={at.secrets.deleteVersions.harm}
      onCancel={onClose}
    >
      <p>
        Of <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}.
      </p>
    </ConfirmVersions>
  );
}
