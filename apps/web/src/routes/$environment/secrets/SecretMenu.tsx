import type { Secret } from '@gatehouse/api-types/console/secrets';
import { fullName } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { ActionsMenu } from './ActionsMenu.tsx';
import { actionsWithoutVersions, secretActions } from './secret-actions.ts';

export function SecretMenu({ place, secret }: { place: SecretPlace; secret: Secret }) {
  return (
    <ActionsMenu<Secret>
      label={`More actions for ${fullName(place)}`}
      place={place}
      subject={secret}
      actions={secret.versioned ? secretActions : actionsWithoutVersions('secret')}
    />
  );
}
