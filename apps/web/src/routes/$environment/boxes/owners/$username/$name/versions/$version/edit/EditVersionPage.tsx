import { boxVersion, fieldsOfVersion, type BoxVersion } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { recreated } from '#components/conflict/recreate-record.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxHref, versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { useCreateVersion, useUpdateVersion } from '#queries/box-changes.ts';
import { boxQuery, staleBox, type VersionPlace } from '#queries/boxes.ts';
import { versionChangesAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import { versionForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { EditStored } from '#routes/$environment/boxes/-editing/EditStored.tsx';
import { Kept } from '#routes/$environment/boxes/-editing/Kept.tsx';
import { ReleasedNote } from '#routes/$environment/boxes/-editing/ReleasedNote.tsx';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';
import { StateNote } from '../StateNote.tsx';

const route = getRouteApi('/$environment/boxes/owners/$username/$name/versions/$version/edit/');

export function EditVersionPage() {
  const place = route.useParams();
  usePageTitle(`Edit ${place.username}/${place.name} ${place.version}`);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {({ may, versions }) => {
          const reason = reasonAgainstPublishing(may, place.username);
          if (reason !== undefined)
            return <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />;
          return (
            <Kept
              item={versions.find(({ version }) => version === place.version)}
              missing={<NotInBox place={place} what={`version ${place.version}`} />}
            >
              {(version) => <EditVersion place={place} version={version} />}
            </Kept>
          );
        }}
      </BoxFrame>
    </>
  );
}

function EditVersion({ place, version }: { place: VersionPlace; version: BoxVersion }) {
  const queryClient = useQueryClient();
  const update = useUpdateVersion(place);
  const create = useCreateVersion(place, recreated);
  return (
    <EditStored
      item={version}
      spec={versionForm}
      schema={boxVersion}
      fieldsOf={fieldsOfVersion}
      nameOf={(item) => item.version}
      update={(guard, changes) => update.mutateAsync({ ...guard, changes })}
      reread={async () => {
        const box = await queryClient.fetchQuery({ ...boxQuery(place), staleTime: 0 });
        return box.versions.find((item) => item.version === place.version);
      }}
      hrefOf={(item) => versionHref({ ...place, version: item.version })}
      goneHref={boxHref(place, 'versions')}
      forget={() => {
        staleBox(queryClient, place);
      }}
      recreate={{
        note: 'It is made anew without providers, and is not released.',
        make: (fields) => create.mutateAsync(fields),
      }}
      noticeOf={(now, first) => (
        <>
          <StateNote seen={first} now={now} />
          {now.status === 'active' && (
            <ReleasedNote>
              Under another number, machines that name this one do not find it any more. What is new in it can
              be written at any time.
            </ReleasedNote>
          )}
        </>
      )}
      markdownOf={({ description }) => description}
      codeOf={(_, changes) => versionChangesAsCode(place, changes)}
    />
  );
}
