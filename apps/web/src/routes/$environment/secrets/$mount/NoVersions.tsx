import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { argument } from '#components/form/as-code.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import { crumbsOf, folderHref } from '#components/places/secrets.ts';
import { useSecretPlace } from '../use-secret-place.ts';

/** In place of a screen that an engine of the first version has nothing for: it would take the address for a secret's. */
export function NoVersions() {
  const place = useSecretPlace();
  const { mount } = place;
  const command = useSecretsCommand(`vault kv enable-versioning ${argument(`${mount}/`)}`);
  usePageTitle(mount);
  return (
    <>
      <PageHeader icon={SecretIcon} title={mount} ancestors={crumbsOf({ ...place, path: '' })} />
      <EmptyState
        icon={SecretIcon}
        title="This engine isn't versioned"
        action={<LinkButton href={folderHref({ ...place, path: '' })}>Go to the engine</LinkButton>}
        command={command}
      >
        It stores only the newest values, without settings, metadata or a recycle bin. The console can read
        its secrets and copy them to other engines, but doesn’t write to it. An operator can turn on
        versioning; existing secrets are kept.
      </EmptyState>
    </>
  );
}
