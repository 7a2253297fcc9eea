import { fullName } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { ActionsMenu } from './ActionsMenu.tsx';
import { folderActions } from './secret-actions.ts';

/** What can be done with a folder, or with the engine itself. */
export function FolderMenu({ place }: { place: SecretPlace }) {
  return (
    <ActionsMenu
      label={`More actions for ${fullName(place)}`}
      place={place}
      subject={null}
      actions={folderActions}
    />
  );
}
