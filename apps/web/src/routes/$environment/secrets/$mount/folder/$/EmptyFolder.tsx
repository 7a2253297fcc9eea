import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { argument, shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { CreateButton } from '#components/list/ListCreate.tsx';
import { fullName, newSecretHref } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { OpenPath } from '#routes/$environment/secrets/OpenPath.tsx';

/** For a folder without entries: the server doesn't distinguish empty folders from missing ones. */
export function EmptyFolder({
  place,
  may,
  cannotCreate,
  isVersioned,
}: {
  place: SecretPlace;
  /** Whether the engine is versioned, so the console can write to it. */
  isVersioned: boolean;
  may: SecretMay | null;
  cannotCreate: string | undefined;
}) {
  const isMount = place.path === '';
  const client = useSecretsClient();
  const cannotList = may?.list === false;
  return (
    <EmptyState
      icon={SecretIcon}
      title={
        cannotList
          ? `The contents of ${fullName(place)} are hidden from you`
          : isMount
            ? `No secrets in ${place.mount} yet`
            : `${fullName(place)} is empty`
      }
      action={
        <div className="flex flex-col items-center gap-3">
          {isVersioned && (
            <CreateButton
              create={{ href: newSecretHref(place), reason: cannotCreate }}
              label="Create a secret here"
              size={32}
            />
          )}
          {cannotList && <OpenPath environment={place.environment} below={place} />}
        </div>
      }
      // The CLI trims its arguments and would write another secret.
      command={
        place.path === place.path.trimStart()
          ? commandFor(
              `vault kv put -mount=${shellWord(place.mount)} ${argument(isMount ? 'app/database' : `${place.path}/database`)} password=-`,
              client,
            )
          : undefined
      }
    >
      {cannotList
        ? "Your policies don't let you list names here. You can open a secret if you know its path."
        : 'A folder exists only while it contains something. Create a secret, and its folders are created with it.'}
    </EmptyState>
  );
}
