import {
  boxVersion,
  type BoxVersion,
  fieldsOfVersion,
  type VersionChanges,
} from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxCrumbs, boxHref, versionHref } from '#components/places/boxes.ts';
import { NewRecordForm } from '#components/record/NewRecordForm.tsx';
import { queryClient } from '#lib/query-client.ts';
import { type BoxPlace, boxQuery } from '#queries/boxes.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { newInRegistry, newVersionAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import { versionForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { versionKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { Preview } from '#routes/$environment/boxes/-editing/Preview.tsx';
import { BoxFrame, MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/new-version/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: NewVersionPage,
});

const route = getRouteApi('/$environment/boxes/owners/$username/$name/new-version/');

function NewVersionPage() {
  const place = route.useParams();
  usePageTitle(`New version of ${place.username}/${place.name}`);
  return (
    <>
      <PageHeader icon={Plus} title="New version" ancestors={boxCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {({ may }) => {
          const reason = reasonAgainstPublishing(may, place.username);
          return reason === undefined ? (
            <NewVersion place={place} />
          ) : (
            <MayNot reason={reason} href={boxHref(place)} label="Go to the box" />
          );
        }}
      </BoxFrame>
    </>
  );
}

function NewVersion({ place }: { place: BoxPlace }) {
  const kind = versionKind(place);
  const update = useUpdateRecord<BoxVersion, VersionChanges, string>(kind.calls, place.environment);
  return (
    <NewRecordForm
      kind={kind}
      blank={{ version: '', description: '' }}
      formOf={() => versionForm}
      bodyOf={(values) => values}
      taken={{
        schema: boxVersion,
        valuesOf: fieldsOfVersion,
        replace: (guard, { version, description }) =>
          update.mutateAsync({ address: version, guard, changes: { description } }),
      }}
      hrefOf={({ version }) => versionHref({ ...place, version })}
      cancelHref={boxHref(place, 'versions')}
      asideOf={({ description }, code) => (
        <>
          {code}
          <Preview text={description} />
        </>
      )}
      codeOf={(values) => newInRegistry(newVersionAsCode(place, values))}
    />
  );
}
