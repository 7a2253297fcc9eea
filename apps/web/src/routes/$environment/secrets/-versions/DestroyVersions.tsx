import * as at from '@gatehouse/api-types/console/addresses/secrets';
import type { Impact } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { fullName, nameOf } from '#components/places/secrets.ts';
import { useGuarded } from '#components/record/use-guarded.ts';
import { useChangeVersions } from '#queries/secret-versions.ts';
import { ConfirmVersions } from './ConfirmVersions.tsx';
import type { VersionsDialogProps } from './DeleteVersions.tsx';
import { withdrawUndo } from './offer-undo.ts';
import { countVersions, isReadable, versionsInWords } from './version-words.ts';

/** Asks for the secret's name before deleting the values of versions permanently. */
export function DestroyVersions({ place, rows, onClose }: VersionsDialogProps) {
  const environment = useEnvironment();
  const change = useChangeVersions('destroy');
  const affected = rows.filter(({ state }) => state !== 'destroyed');
  const versions = affected.map(({ version }) => version);
  const words = versionsInWords(versions);
  const readable = affected.filter(isReadable).map(({ version }) => version);
  const deleted = affected.filter(({ state }) => state === 'deleted').map(({ version }) => version);
  const impacts: Impact[] = [];
  if (affected.some(({ isCurrent }) => isCurrent)) {
    impacts.push({
      kind: 'breaks',
      text: 'This includes the current version. Programs that read the secret find nothing until a new version is created.',
    });
  }
  if (readable.length > 0) {
    impacts.push({
      kind: 'breaks',
      text: `The values of ${versionsInWords(readable)}, which can be read now, are deleted permanently. Even the server's operator can't recover them.`,
    });
  }
  if (deleted.length > 0) {
    impacts.push({
      kind: 'breaks',
      text: `The values of ${versionsInWords(deleted)}, which could still be undeleted, are lost permanently.`,
    });
  }
  impacts.push({
    kind: 'worth-knowing',
    text: 'The list of versions keeps their creation times.',
  });
  const action = useGuarded<undefined, unknown>({
    item: undefined,
    act: () => change.mutateAsync({ place, versions, createdTimes: affected.map((row) => row.created_time) }),
    newerOf: () => undefined,
    onDone: () => {
      withdrawUndo(place);
      toasts.ok({ title: `Deleted ${words} of ${nameOf(place.path)} permanently` });
      onClose();
    },
  });
  return (
    <ConfirmVersions
      place={place}
      action={action}
      title={`Delete ${words} permanently?`}
      confirmLabel={`Delete ${countVersions(versions.length)} permanently`}
      impacts={impacts}
      harm={at.secrets.destroyVersions.harm}
      onCancel={onClose}
    >
      <p>
        Of <span className="font-mono text-meta">{fullName(place)}</span> in {environment.name}.
      </p>
    </ConfirmVersions>
  );
}
