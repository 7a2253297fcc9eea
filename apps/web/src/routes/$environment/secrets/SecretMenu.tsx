import type { Secret } from '@gatehouse/api-types/console/secrets';
import type { SecretPlace } from '../../../queries/secrets.ts';
import { ActionsMenu } from './ActionsMenu.tsx';
import { fullName } from './places.ts';
import { secretActions } from './secret-actions.ts';

/** What can be done with one secret. */
export function SecretMenu({ place, secret }: { place: SecretPlace; secret: Secret }) {
  return (
    <ActionsMenu
      label={`More actions for ${fullName(place)}`}
      place={place}
      subject={secret}
      actions={secretActions}
    />
  );
}
