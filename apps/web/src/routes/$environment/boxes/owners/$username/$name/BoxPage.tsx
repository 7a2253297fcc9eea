import type { Box } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { EmptyState } from '@gatehouse/ui/empty-state';
import { BoxIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { Tabs } from '@gatehouse/ui/tabs';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, defaultStringifySearch, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Lock, PencilLine } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { shellWord } from '#components/form/as-code.ts';
import { Markdown } from '#components/markdown/Markdown.tsx';
import {
  boxHref,
  newVersionHref,
  ownerCrumbs,
  ownerHref,
  publishHref,
  versionHref,
} from '#components/places/boxes.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { RecordButtons } from '#components/record/RecordButtons.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { type BoxPlace, boxQuery } from '#queries/boxes.ts';
import { UseBox } from '#routes/$environment/boxes/-use/UseBox.tsx';
import { hasHoles } from '#routes/$environment/boxes/-version-grid/version-grid.ts';
import { VersionGrid } from '#routes/$environment/boxes/-version-grid/VersionGrid.tsx';
import { BoxFrame } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';
import { boxSearch } from './box-search.ts';
import { BoxNeighbours } from './BoxNeighbours.tsx';
import { Changelog } from './Changelog.tsx';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/')({
  validateSearch: boxSearch.parse,
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: BoxPage,
});

// Loaded after the page is shown.
const BoxMenu = lazy(async () => ({ default: (await import('./BoxMenu.tsx')).BoxMenu }));
const BoxDownloads = lazy(async () => ({
  default: (await import('./BoxDownloads.tsx')).BoxDownloads,
}));
const DeleteBox = lazy(async () => ({ default: (await import('./DeleteBox.tsx')).DeleteBox }));
const route = getRouteApi('/$environment/boxes/owners/$username/$name/');

/** One box: description, usage and versions. */
function BoxPage() {
  const place = route.useParams();
  const { environment, username, name } = place;
  // The router keeps invalid parameters.
  const search = boxSearch.parse(route.useSearch());
  const { tab = 'overview', ...listed } = search;
  const navigate = useNavigate();
  const { data: box } = useQuery(boxQuery(place));
  const [isDeleting, setDeleting] = useState(false);
  usePageTitle(`${username}/${name}`);
  const cannotChange = box && reasonAgainstPublishing(box.may, username);
  const to = (href: string) => (): void => {
    if (box && cannotChange === undefined) void navigate({ href });
  };
  const group = 'Box';
  useShortcut({ keys: 'e', label: 'Edit this box', group, run: to(`${boxHref(place)}/edit`) });
  useShortcut({ keys: 'c', label: 'Publish a version', group, run: to(publishHref(environment, place)) });
  useShortcut({
    keys: 'u',
    label: 'Up',
    group,
    run: () => void navigate({ href: ownerHref(environment, username) }),
  });
  return (
    <>
      <PageHeader
        icon={BoxIcon}
        title={name}
        ancestors={ownerCrumbs(environment, username)}
        meta={
          box && (
            <>
              {box.is_private && <Badge icon={Lock}>Private</Badge>}
              {box.current_version !== null && <Badge>{box.current_version}</Badge>}
            </>
          )
        }
        actions={
          box && (
            <>
              <BoxNeighbours place={place} search={search} listed={listed} />
              <RecordButtons resource={box.tag} name={box.tag} group="Box" />
              <Suspense fallback={<span className="size-7" />}>
                <BoxMenu
                  place={place}
                  cannotChange={cannotChange}
                  onDelete={() => {
                    setDeleting(true);
                  }}
                />
              </Suspense>
              <Button
                size={28}
                icon={PencilLine}
                shortcut="e"
                disabledReason={cannotChange}
                onPress={to(`${boxHref(place)}/edit`)}
              >
                Edit
              </Button>
              {cannotChange === undefined && (
                <LinkButton href={publishHref(environment, place)} variant="primary" size={28}>
                  Publish a version
                </LinkButton>
              )}
            </>
          )
        }
      />
      <BoxFrame place={place}>
        {(shown) => (
          <div className="flex min-h-0 flex-1 flex-col px-4">
            <Tabs
              label="Box views"
              selected={tab}
              items={[
                {
                  id: 'overview',
                  label: 'Overview',
                  href: boxHref(place) + defaultStringifySearch(listed),
                  content: <Overview place={place} box={shown} />,
                },
                {
                  id: 'versions',
                  label: 'Versions',
                  count: shown.versions.length,
                  href: boxHref(place) + defaultStringifySearch({ ...listed, tab: 'versions' }),
                  content: <Versions place={place} box={shown} cannotChange={cannotChange} />,
                },
              ]}
            />
          </div>
        )}
      </BoxFrame>
      {box && isDeleting && (
        <Suspense fallback={null}>
          <DeleteBox
            place={place}
            box={box}
            onClose={(isGone) => {
              setDeleting(false);
              if (isGone) void navigate({ href: ownerHref(environment, username), replace: true });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function Overview({ place, box }: { place: BoxPlace; box: Box }) {
  return (
    <div className="h-full overflow-y-auto pb-6">
      <div className="mx-auto grid max-w-300 grid-cols-1 items-start gap-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)]">
        <Card title="Description">
          {box.short_description !== '' && (
            <p className="mb-3 text-heading text-balance text-ink-1">{box.short_description}</p>
          )}
          {box.description === '' ? (
            <p className="text-body text-ink-2">
              {box.short_description === ''
                ? 'No description yet. Describe what this box is and how it was built.'
                : 'No long description.'}
            </p>
          ) : (
            <Markdown text={box.description} label="description" />
          )}
        </Card>
        <div className="flex min-w-0 flex-col gap-4">
          {box.current_version !== null && (
            <UseBox
              box={{ tag: box.tag, serverUrl: box.server_url }}
              images={box.versions.find(({ version }) => version === box.current_version)?.providers ?? []}
              isPrivate={box.is_private}
            />
          )}
          <DetailCard
            title="Details"
            items={[
              { label: 'Name', value: box.tag, isMono: true, copyText: box.tag },
              { label: 'Newest release', value: box.current_version ?? 'None yet' },
              {
                label: 'Access',
                value: box.is_private
                  ? "Private: its owner or the organization's members, and administrators of the box registry"
                  : 'Public',
              },
              { label: 'Downloads', value: box.downloads.toLocaleString('en') },
              { label: 'Created', value: <Time value={box.created_time} /> },
              { label: 'Updated', value: <Time value={box.updated_time} /> },
            ]}
          />
          {box.downloads > 0 && (
            <Suspense fallback={null}>
              <BoxDownloads place={place} />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  );
}

function Versions({
  place,
  box,
  cannotChange,
}: {
  place: BoxPlace;
  box: Box;
  cannotChange: string | undefined;
}) {
  const environment = useEnvironment();
  const publish = publishHref(environment.id, place);
  if (box.versions.length === 0) {
    return (
      <EmptyState
        icon={BoxIcon}
        title={cannotChange === undefined ? 'No versions yet' : 'No released version'}
        command={`vagrant cloud version create ${shellWord(box.tag)} 1.0.0`}
        action={
          cannotChange === undefined ? (
            <LinkButton href={publish} variant="primary">
              Publish the first version
            </LinkButton>
          ) : (
            <Button disabledReason={cannotChange}>Publish the first version</Button>
          )
        }
      >
        A version has an image for each provider and architecture. Clients find it once it is released.
      </EmptyState>
    );
  }
  return (
    <div className="h-full overflow-y-auto pb-6">
      <div className="mx-auto flex max-w-300 flex-col gap-3">
        <Card
          title="Versions and providers"
          isFlush
          actions={
            cannotChange === undefined && (
              <LinkButton href={newVersionHref(place)} size={28} variant="ghost">
                New version
              </LinkButton>
            )
          }
        >
          <VersionGrid
            label={`Versions and providers of ${box.tag}`}
            versions={box.versions}
            hrefOf={(version) => versionHref({ ...place, version })}
          />
        </Card>
        {hasHoles(box.versions) && (
          <p className="text-meta text-ink-2">
            <em className="not-italic font-medium">Missing</em>: the previous release has this provider and
            architecture, so machines that need them don't get this version.
          </p>
        )}
        <Changelog place={place} versions={box.versions} />
      </div>
    </div>
  );
}
