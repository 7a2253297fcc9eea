import type { Box, BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { BoxIcon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { MenuButton } from '@gatehouse/ui/menu';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Ban, PencilLine, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Neighbours } from '#components/list/Neighbours.tsx';
import { Markdown } from '#components/markdown/Markdown.tsx';
import { boxCrumbs, boxHref, versionHref } from '#components/places/boxes.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { RecordButtons } from '#components/record/RecordButtons.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { addressOf, boxQuery, type VersionPlace } from '#queries/boxes.ts';
import { UseBox } from '#routes/$environment/boxes/-use/UseBox.tsx';
import { stateWords } from '#routes/$environment/boxes/-version-grid/state-words.ts';
import { gapsOf, type GridVersion } from '#routes/$environment/boxes/-version-grid/version-grid.ts';
import { BoxFrame, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';
import { ProvidersCard } from './ProvidersCard.tsx';
import { reasonAgainstReleasing, reasonAgainstRevoking } from './version-reasons.ts';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/versions/$version/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: VersionPage,
});

const ReleaseVersion = lazy(async () => ({ default: (await import('./ReleaseVersion.tsx')).ReleaseVersion }));
const RevokeVersion = lazy(async () => ({ default: (await import('./RevokeVersion.tsx')).RevokeVersion }));
const DeleteVersion = lazy(async () => ({ default: (await import('./DeleteVersion.tsx')).DeleteVersion }));
const DeleteProvider = lazy(async () => ({ default: (await import('./DeleteProvider.tsx')).DeleteProvider }));
const route = getRouteApi('/$environment/boxes/owners/$username/$name/versions/$version/');

type Asking = 'release' | 'revoke' | 'delete' | Provider;

/** One version of a box: state, description, and providers with their images. */
function VersionPage() {
  const place = route.useParams();
  const { username, name, version: number } = place;
  const navigate = useNavigate();
  const { data: box } = useQuery(boxQuery(place));
  const [asking, setAsking] = useState<Asking>();
  usePageTitle(`${username}/${name} ${number}`);
  const version = box?.versions.find((item) => item.version === number);
  const cannotChange = box && reasonAgainstPublishing(box.may, username);
  const ask = (what: Asking) => (): void => {
    setAsking(what);
  };
  const edit = (): void => {
    if (version && cannotChange === undefined) void navigate({ href: `${versionHref(place)}/edit` });
  };
  const cannotRelease = version && (cannotChange ?? reasonAgainstReleasing(version));
  const cannotRevoke = version && (cannotChange ?? reasonAgainstRevoking(version));
  useShortcut({ keys: 'e', label: 'Edit this version', group: 'Version', run: edit });
  useShortcut({
    keys: 'u',
    label: 'Up',
    group: 'Version',
    run: () => void navigate({ href: boxHref(place, 'versions') }),
  });
  const at = box?.versions.findIndex((item) => item.version === number) ?? -1;
  // Sorted newest first, so the older version is next.
  const [newer, older] = at === -1 ? [] : [box?.versions[at - 1], box?.versions[at + 1]];
  const goTo = (item: BoxVersion) => (): void =>
    void navigate({ href: versionHref({ ...place, version: item.version }), replace: true });
  const close = (isGone: boolean): void => {
    setAsking(undefined);
    if (isGone) void navigate({ href: boxHref(place, 'versions'), replace: true });
  };
  const dialog = { place, onClose: close };
  return (
    <>
      <PageHeader
        icon={BoxIcon}
        title={number}
        ancestors={boxCrumbs(place)}
        meta={version && <StateBadge status={version.status} />}
        actions={
          version && (
            <>
              <Neighbours
                group="Version"
                before={{
                  label: 'Newer version',
                  noneReason: 'This is the newest version.',
                  go: newer && goTo(newer),
                }}
                after={{
                  label: 'Older version',
                  noneReason: 'This is the oldest version.',
                  go: older && goTo(older),
                }}
              />
              <RecordButtons
                resource={`${username}/${name}/${number}`}
                name={`${username}/${name} ${number}`}
                group="Version"
              />
              <MenuButton
                label={`More actions for version ${number}`}
                isOverflow
                size={28}
                placement="bottom end"
                items={[
                  {
                    id: 'revoke',
                    label: 'Revoke permanently',
                    icon: Ban,
                    isDanger: true,
                    disabledReason: cannotRevoke,
                    onAction: ask('revoke'),
                  },
                  {
                    id: 'delete',
                    label: 'Delete',
                    icon: Trash2,
                    isDanger: true,
                    disabledReason: cannotChange,
                    onAction: ask('delete'),
                  },
                ]}
              />
              <Button size={28} icon={PencilLine} shortcut="e" disabledReason={cannotChange} onPress={edit}>
                Edit
              </Button>
              {version.status === 'unreleased' && (
                <Button size={28} variant="primary" disabledReason={cannotRelease} onPress={ask('release')}>
                  Release
                </Button>
              )}
            </>
          )
        }
      />
      <BoxFrame place={place}>
        {(shown) =>
          version === undefined ? (
            <NotInBox place={place} what={`version ${number}`} />
          ) : (
            <Shown
              place={place}
              box={shown}
              version={version}
              cannotChange={cannotChange}
              onDeleteProvider={setAsking}
            />
          )
        }
      </BoxFrame>
      {box && version && asking !== undefined && (
        <Suspense fallback={null}>
          {asking === 'release' && <ReleaseVersion {...dialog} box={box} version={version} />}
          {asking === 'revoke' && <RevokeVersion {...dialog} box={box} version={version} />}
          {asking === 'delete' && <DeleteVersion {...dialog} box={box} version={version} />}
          {typeof asking === 'object' && (
            <DeleteProvider
              place={{ ...place, ...addressOf(asking) }}
              version={version}
              provider={asking}
              onClose={() => {
                setAsking(undefined);
              }}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

function StateBadge({ status }: { status: string }) {
  const { word, tone } = stateWords(status);
  return <Badge tone={tone}>{word}</Badge>;
}

function Shown({
  place,
  box,
  version,
  cannotChange,
  onDeleteProvider,
}: {
  place: VersionPlace;
  box: Box;
  version: BoxVersion;
  cannotChange: string | undefined;
  onDeleteProvider: (provider: Provider) => void;
}) {
  const names = new Set(version.providers.map(({ name }) => name));
  const [provider] = names.size === 1 ? names : [];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto grid w-full max-w-300 grid-cols-1 items-start gap-4 p-4 wide:grid-cols-[minmax(0,1fr)_minmax(0,400px)] wide:p-6">
        <div className="flex min-w-0 flex-col gap-4">
          {version.status === 'unreleased' && <GapsBanner version={version} versions={box.versions} />}
          <ProvidersCard
            place={place}
            version={version}
            cannotChange={cannotChange}
            onDelete={onDeleteProvider}
          />
          <Card title="What's new">
            {version.description === '' ? (
              <p className="text-body text-ink-2">This version has no change notes.</p>
            ) : (
              <Markdown text={version.description} label="description" />
            )}
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {version.status === 'active' && (
            <UseBox
              box={{
                tag: box.tag,
                serverUrl: box.server_url,
                version: version.version,
                ...(provider !== undefined && { provider }),
              }}
              images={version.providers}
              isPrivate={box.is_private}
            />
          )}
          <DetailCard
            title="Details"
            items={[
              {
                label: 'Number',
                value: version.version,
                isMono: true,
                copyText: version.version,
              },
              { label: 'State', value: stateWords(version.status).word },
              {
                label: 'Newest release',
                value:
                  box.current_version === version.version ? 'This version' : (box.current_version ?? 'None'),
              },
              { label: 'Created', value: <Time value={version.created_time} /> },
              { label: 'Updated', value: <Time value={version.updated_time} /> },
            ]}
          />
        </div>
      </div>
    </div>
  );
}

/** The images that a version lacks before its release; nothing if it lacks none. */
function GapsBanner({ version, versions }: { version: GridVersion; versions: readonly GridVersion[] }) {
  const { last, holes, empty } = gapsOf(version, versions);
  if (holes.length === 0 && empty.length === 0) return null;
  return (
    <Banner tone="warn" title="This version is incomplete" announce="none">
      {holes.length > 0 && (
        <p>
          Version {last} has {listed(holes)}, and this version doesn't: machines that need{' '}
          {holes.length === 1 ? 'it' : 'one of them'} won't get this version.
        </p>
      )}
      {empty.length > 0 && (
        <p>
          {listed(empty)} {empty.length === 1 ? 'has' : 'have'} no image yet, so clients can't download{' '}
          {empty.length === 1 ? 'it' : 'them'}.
        </p>
      )}
    </Banner>
  );
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names);
}
