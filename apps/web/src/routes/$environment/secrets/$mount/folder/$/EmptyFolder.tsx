import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { Button } from '@gatehouse/ui/button';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { Plus } from 'lucide-react';
import { shellWord } from '#components/form/as-code.ts';
import { fullName, newSecretHref } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';

/** Nothing is in the folder: the server does not tell an empty one from one that was never there. */
export function EmptyFolder({
  place,
  may,
  cannotCreate,
}: {
  place: SecretPlace;
  may: SecretMay | null;
  cannotCreate: string | undefined;
}) {
  const isMount = place.path === '';
  return (
    <EmptyState
      icon={SecretIcon}
      title={isMount ? `No secrets in ${place.mount} yet` : `Nothing is in ${fullName(place)}`}
      action={
        cannotCreate === undefined ? (
          <LinkButton href={newSecretHref(place)} variant="primary">
            Create a secret here
          </LinkButton>
        ) : (
          <Button variant="primary" icon={Plus} disabledReason={cannotCreate}>
            Create a secret here
          </Button>
        )
      }
      command={`vault kv put -mount=${shellWord(place.mount)} ${shellWord(isMount ? 'app/database' : `${place.path}/database`)} password=-`}
    >
      {may?.list === false
        ? 'Your policies do not let you see names here. A secret whose name you know can be opened by its address.'
        : 'A folder is there for as long as something is in it: write a secret, and its folders come with it.'}
    </EmptyState>
  );
}
