import { EmptyState } from '@gatehouse/ui/empty-state';
import { SecretIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { argument } from '#components/form/as-code.ts';
import { useSecretsCommand } from '#components/form/secrets-client.ts';
import { crumbsOf, folderHref } from '#components/places/secrets.ts';
import { useIsUnversioned, useSecretPlace } from '../use-secret-place.ts';

const FolderTree = lazy(async () => ({ default: (await import('./after-list.ts')).FolderTree }));

/** Pages that unversioned engines don't have. */
const needVersions = new Set(['edit', 'import', 'metadata', 'new', 'recycle-bin', 'settings']);

/** An engine: its folder tree beside the page. */
export function MountLayout() {
  const { environment, mount } = useSecretPlace();
  const screen = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] ?? '' });
  const needsVersions = needVersions.has(screen);
  const isUnversioned = useIsUnversioned(needsVersions);
  return (
    <div className="flex min-h-0 flex-1">
      <div className="hidden w-64 shrink-0 border-e border-line bg-surface wide:flex">
        <Suspense fallback={null}>
          <FolderTree key={`${environment}/${mount}`} />
        </Suspense>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        {needsVersions && isUnversioned ? <NoVersions /> : <Outlet />}
      </div>
    </div>
  );
}

/** Replaces pages that unversioned engines don't have: the server would read their paths as secrets. */
function NoVersions() {
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
        its secrets and copy them to other engines, but doesn't write to it. An administrator can turn on
        versioning; existing secrets are kept.
      </EmptyState>
    </>
  );
}
