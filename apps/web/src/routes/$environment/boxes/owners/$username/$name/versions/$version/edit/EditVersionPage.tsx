import type { BoxVersion } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxHref, versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { OnceAllowed } from '#components/record/OnceAllowed.tsx';
import { RecordEditor } from '#components/record/RecordEditor.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery, type VersionPlace } from '#queries/boxes.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { Kept } from '#routes/$environment/boxes/-editing/Kept.tsx';
import { ReleasedNote } from '#routes/$environment/boxes/-editing/ReleasedNote.tsx';
import { StateNote } from '#routes/$environment/boxes/-version-grid/StateNote.tsx';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/versions/$version/edit/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: EditVersionPage,
});

const route = getRouteApi('/$environment/boxes/owners/$username/$name/versions/$version/edit/');

function EditVersionPage() {
  const place = route.useParams();
  usePageTitle(`Edit ${place.username}/${place.name} ${place.version}`);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {({ may, versions }) => (
          <OnceAllowed
            reason={reasonAgainstPublishing(may, place.username)}
            refused={(reason) => (
              <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />
            )}
          >
            <Kept
              item={versions.find(({ version }) => version === place.version)}
              missing={<NotInBox place={place} what={`version ${place.version}`} />}
            >
              {(version) => <EditVersion place={place} version={version} />}
            </Kept>
          </OnceAllowed>
        )}
      </BoxFrame>
    </>
  );
}

function EditVersion({ place, version }: { place: VersionPlace; version: BoxVersion }) {
  return (
    <RecordEditor
      kind={{ ...versionKind(place), noticeOf: versionNotice }}
      address={place.version}
      item={version}
      hrefOf={(item) => versionHref({ ...place, version: item.version })}
      goneHref={boxHref(place, 'versions')}
    />
  );
}

function versionNotice(now: BoxVersion, first: BoxVersion) {
  return (
    <>
      <StateNote seen={first} now={now} />
      {now.status === 'active' && (
        <ReleasedNote>
          If you change the number, machines that use the old one no longer find this version. The change
          notes can be edited at any time.
        </ReleasedNote>
      )}
    </>
  );
}
