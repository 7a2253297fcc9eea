import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { shellWord } from '#components/form/as-code.ts';
import { CreateButton } from '#components/list/ListCreate.tsx';
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
        <CreateButton
          create={{ href: newSecretHref(place), reason: cannotCreate }}
          label="Create a secret here"
          size={32}
        />
      }
      command={`vault kv put -mount=${shellWord(place.mount)} ${shellWord(isMount ? 'app/database' : `${place.path}/database`)} password=-`}
    >
      {may?.list === false
        ? 'Your policies do not let you see names here. A secret whose name you know can be opened by its address.'
        : 'A folder is there for as long as something is in it: write a secret, and its folders come with it.'}
    </EmptyState>
  );
}
