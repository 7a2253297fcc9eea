import { providerLabel } from '@gatehouse/api-types/console/box-values';
import type { Box, Provider } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { OnceAllowed } from '#components/record/OnceAllowed.tsx';
import { RecordEditor } from '#components/record/RecordEditor.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery, isAtAddress, type ProviderPlace } from '#queries/boxes.ts';
import { providerKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { Kept } from '#routes/$environment/boxes/-editing/Kept.tsx';
import { ReleasedNote } from '#routes/$environment/boxes/-editing/ReleasedNote.tsx';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

export const Route = createFileRoute(
  '/$environment/boxes/owners/$username/$name/versions/$version/providers/$provider/$architecture/edit/',
)({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: EditProviderPage,
});

const route = getRouteApi(
  '/$environment/boxes/owners/$username/$name/versions/$version/providers/$provider/$architecture/edit/',
);

function EditProviderPage() {
  const place = route.useParams();
  const { username, name, version, provider, architecture } = place;
  const called = providerLabel({ name: provider, architecture });
  usePageTitle(`Edit ${called} of ${username}/${name} ${version}`);
  return (
    <>
      <PageHeader icon={PencilLine} title={`Edit ${called}`} ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {(box) => (
          <OnceAllowed
            reason={reasonAgainstPublishing(box.may, username)}
            refused={(reason) => (
              <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />
            )}
          >
            <Kept
              item={providerIn(box, place)}
              missing={<NotInBox place={place} what={`provider ${called} of version ${version}`} />}
            >
              {(item) => (
                <EditProvider
                  place={place}
                  provider={item}
                  knowsArchitectures={box.knows_architectures}
                  isReleased={box.versions.some((one) => one.version === version && one.status === 'active')}
                />
              )}
            </Kept>
          </OnceAllowed>
        )}
      </BoxFrame>
    </>
  );
}

function providerIn({ versions }: Box, place: ProviderPlace): Provider | undefined {
  return versions
    .find((item) => item.version === place.version)
    ?.providers.find((provider) => isAtAddress(provider, place));
}

function EditProvider({
  place,
  provider,
  knowsArchitectures,
  isReleased,
}: {
  place: ProviderPlace;
  provider: Provider;
  knowsArchitectures: boolean;
  isReleased: boolean;
}) {
  return (
    <RecordEditor
      kind={{
        ...providerKind(place, knowsArchitectures, isReleased),
        noticeOf: () =>
          isReleased && (
            <ReleasedNote>
              Clients that already downloaded the image don't notice a change. Publish another version
              instead, unless this one never worked.
            </ReleasedNote>
          ),
      }}
      address={place}
      item={provider}
      hrefOf={() => versionHref(place)}
      goneHref={versionHref(place)}
    />
  );
}
