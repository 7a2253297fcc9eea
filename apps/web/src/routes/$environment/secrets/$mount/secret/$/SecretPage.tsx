import type { Secret, VersionState } from '@gatehouse/api-types/console/secrets';
import { unknownRevision } from '@gatehouse/api-types/console/unknown-revision';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { SecretIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { Tabs } from '@gatehouse/ui/tabs';
import { formatRelative, useNow } from '@gatehouse/ui/time';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { Suspense } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { secretSearch } from '#components/places/secret-search.ts';
import {
  crumbsOf,
  editSecretHref,
  folderHref,
  fullName,
  nameOf,
  newSecretHref,
  secretHref,
} from '#components/places/secrets.ts';
import { ForgetFavorite } from '#components/record/ForgetFavorite.tsx';
import { RecordButtons } from '#components/record/RecordButtons.tsx';
import { isApiError } from '#lib/api-error.ts';
import { folderOf } from '#lib/folder-of.ts';
import { usePolling } from '#lib/polling.ts';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { mountsQuery, secretQuery } from '#queries/secrets.ts';
import { reasonAgainstEditing } from '#routes/$environment/secrets/may.ts';
import { SecretData, secretTabs } from '#routes/$environment/secrets/secret-tabs.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/secret/$/')({
  validateSearch: secretSearch.parse,
  loaderDeps: ({ search: { version } }) => ({ version }),
  loader: ({ params: { environment, mount, _splat: path = '' }, deps: { version } }) => {
    void queryClient.prefetchQuery(secretQuery({ environment, mount, path }, version));
  },
  component: SecretPage,
});

// Loaded after the page is shown.
const SecretMenu = lazy(async () => ({
  default: (await import('#routes/$environment/secrets/SecretMenu.tsx')).SecretMenu,
}));
const route = getRouteApi('/$environment/secrets/$mount/secret/$/');

/** One secret: data, versions and metadata. */
function SecretPage() {
  const place = useSecretPlace();
  const { tab = 'data', version } = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(secretQuery(place, version));
  usePolling(secretQuery(place), 30, query.isSuccess);
  usePageTitle(fullName(place));
  const secret = query.data;
  const isMissing = isApiError(query.error, 'not-found');
  const mounts = useQuery({ ...mountsQuery(place.environment), enabled: isMissing });
  const isVersioned =
    mounts.data?.some(({ path, version: kind }) => path === place.mount && kind === 2) ?? false;
  const folder = folderHref({ ...place, path: folderOf(place.path) });
  const cannotEdit = secret && reasonAgainstEditing(secret, version);
  const toEdit = (): void => {
    if (secret && cannotEdit === undefined) void navigate({ href: editSecretHref(place) });
  };
  const shown = secretTabs.find(({ id }) => id === tab) ?? secretTabs[0];
  useShortcut({ keys: 'e', label: 'Edit this secret', group: 'Secret', run: toEdit });
  useShortcut({ keys: 'u', label: 'Up', group: 'Secret', run: () => void navigate({ href: folder }) });
  return (
    <>
      <PageHeader
        icon={SecretIcon}
        title={nameOf(place.path)}
        ancestors={crumbsOf(place)}
        meta={secret && <SecretBadges secret={secret} version={version} />}
        actions={
          secret && (
            <>
              <RecordButtons resource={fullName(place)} name={nameOf(place.path)} group="Secret" />
              <Suspense fallback={<span className="size-7" />}>
                <SecretMenu place={place} secret={secret} />
              </Suspense>
              {secret.versioned && (
                <Button size={28} icon={PencilLine} shortcut="e" disabledReason={cannotEdit} onPress={toEdit}>
                  Edit
                </Button>
              )}
            </>
          )
        }
      />
      {query.isPending && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the secret" lines={8} />
        </div>
      )}
      {query.isError && !secret && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={
            <>
              {isMissing && isVersioned && (
                <LinkButton
                  href={newSecretHref({ ...place, path: folderOf(place.path) }, nameOf(place.path))}
                  variant="primary"
                >
                  Create it
                </LinkButton>
              )}
              <LinkButton href={folder}>Go to the folder</LinkButton>
              {isMissing && <ForgetFavorite />}
            </>
          }
        />
      )}
      {secret?.versioned === false && (
        <div className="flex min-h-0 flex-1 flex-col gap-4 p-4">
          <Banner
            tone="info"
            announce="none"
            title="This engine isn't versioned. You can read this secret here, but not write it"
          />
          <Suspense fallback={<SkeletonList label="Loading the data" lines={6} />}>
            <SecretData key={place.path} place={place} secret={secret} />
          </Suspense>
        </div>
      )}
      {secret?.versioned === true && (
        <div className="flex min-h-0 flex-1 flex-col px-4">
          <Tabs
            label="Secret views"
            selected={shown?.id ?? 'data'}
            items={secretTabs.map(({ id, label, Content }) => ({
              id,
              label,
              href: secretHref(place, id === 'data' ? {} : { tab: id }),
              content: (
                <Suspense fallback={<SkeletonList label={`Loading ${label.toLowerCase()}`} lines={6} />}>
                  <Content key={place.path} place={place} secret={secret} />
                </Suspense>
              ),
            }))}
          />
        </div>
      )}
    </>
  );
}

function SecretBadges({ secret, version }: { secret: Secret; version: number | undefined }) {
  if (!secret.versioned) return <Badge>Not versioned</Badge>;
  if (secret.version === null) {
    return <Badge>{secret.revision === unknownRevision ? 'Version unknown' : 'No versions'}</Badge>;
  }
  return (
    <>
      <Badge>
        {version === undefined
          ? `Version ${String(secret.version.version)}`
          : `Version ${String(version)} of ${secret.revision}`}
      </Badge>
      <VersionBadge state={secret.version.state} deletionTime={secret.version.deletion_time} />
    </>
  );
}

/** A version's deletion, done or scheduled; nothing for a readable version. */
function VersionBadge({ state, deletionTime }: { state: VersionState; deletionTime: string }) {
  const now = useNow();
  switch (state) {
    case 'readable':
      return null;
    case 'scheduled':
      return <Badge tone="warn">Will be deleted {formatRelative(deletionTime, now)}</Badge>;
    case 'deleted':
      return <Badge tone="warn">Deleted</Badge>;
    case 'destroyed':
      return <Badge tone="danger">Destroyed</Badge>;
  }
}
