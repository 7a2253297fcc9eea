import { fullName } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { ActionsMenu } from './ActionsMenu.tsx';
import { actionsWithoutVersions, folderActions } from './secret-actions.ts';

export function FolderMenu({ place, isVersioned }: { place: SecretPlace; isVersioned: boolean }) {
  return (
    <ActionsMenu<null>
      label={`More actions for ${fullName(place)}`}
      place={place}
      subject={null}
      actions={isVersioned ? folderActions : actionsWithoutVersions('folder')}
    />
  );
}
