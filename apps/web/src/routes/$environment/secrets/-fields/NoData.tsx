import type { Secret } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { Button } from '@gatehouse/ui/button';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { formatRelative, useNow } from '@gatehouse/ui/time';
import { Flame, Lock, Trash2 } from 'lucide-react';
import { argument, shellWord } from '#components/form/as-code.ts';
import { commandFor, useSecretsClient } from '#components/form/secrets-client.ts';
import { editSecretHref, secretHref } from '#components/places/secrets.ts';
import type { SecretPlace } from '#queries/secrets.ts';
import { useUndelete } from '../-versions/undelete-versions.ts';
import { reasonAgainstEditing } from '../may.ts';

/** Says why no fields can be shown, and what to do. */
export function NoData({ place, secret }: { place: SecretPlace; secret: Secret }) {
  const now = useNow();
  const undelete = useUndelete();
  const client = useSecretsClient();
  const { version, may } = secret;
  // The CLI trims its arguments and would change another secret.
  const cli = (command: string, flags = '', data = ''): string | undefined =>
    place.path === place.path.trim()
      ? commandFor(
          `vault kv ${command} -mount=${shellWord(place.mount)}${flags} ${argument(place.path)}${data}`,
          client,
        )
      : undefined;
  const versions = (
    <LinkButton href={secretHref(place, { tab: 'versions' })} variant="primary">
      Go to the versions
    </LinkButton>
  );
  const write = (
    <LinkButton href={editSecretHref(place)} variant="primary">
      Create a new version
    </LinkButton>
  );
  const cannotEdit = reasonAgainstEditing(secret);
  const unseen = (
    <EmptyState
      icon={Lock}
      title="You can't see this secret's contents"
      action={
        may?.patch === true && cannotEdit === undefined ? (
          <LinkButton href={editSecretHref(place)} variant="primary">
            Edit fields by name
          </LinkButton>
        ) : (
          versions
        )
      }
      command={may?.patch === true ? cli('patch', '', ' NAME=VALUE') : cli('get')}
    >
      {forbiddenWords(secret)}
    </EmptyState>
  );
  const number = String(version?.version ?? '');
  switch (version?.state) {
    case 'deleted':
      return (
        <EmptyState
          icon={Trash2}
          title={`Version ${number} was deleted ${formatRelative(version.deletion_time, now)}`}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              {may?.undelete !== false && (
                <Button
                  variant="primary"
                  onPress={() => {
                    undelete(place, [version.version]);
                  }}
                >
                  Undelete version {number}
                </Button>
              )}
              <LinkButton href={secretHref(place, { tab: 'versions' })}>Go to the versions</LinkButton>
            </div>
          }
          command={cli('undelete', ` -versions=${number}`)}
        >
          Programs that read this secret find nothing. Its values are still stored. Undelete the version, or
          create a new one.
        </EmptyState>
      );
    case 'destroyed':
      return (
        <EmptyState
          icon={Flame}
          title={`Version ${number} was destroyed`}
          action={cannotEdit === undefined ? write : versions}
          command={cli('put', '', ' @data.json')}
        >
          Its values can't be recovered. Other versions may still exist.
          {cannotEdit === undefined && ' You can create a new version.'}
        </EmptyState>
      );
    case undefined:
      return secret.revision === '0' ? (
        <EmptyState
          icon={SecretIcon}
          title="No versions yet"
          action={cannotEdit === undefined ? write : versions}
          command={cli('put', ' -cas=0', ' @data.json')}
        >
          This secret has metadata, but no value was ever written.
        </EmptyState>
      ) : (
        unseen
      );
    default:
      return unseen;
  }
}

function forbiddenWords({ may, revision }: Secret): string {
  if (may?.patch !== true) {
    return "Your policies don't let you see values or field names. Ask an administrator of the secrets server.";
  }
  return revision === unknownRevision
    ? 'Your policies hide this secret and whether it exists. You can set or remove fields if you know their names.'
    : "Your policies don't let you see values or field names. You can set or remove fields if you know their names.";
}
