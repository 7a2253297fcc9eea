import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { boxVersion, fieldsOfVersion } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxCrumbs, boxHref, versionHref } from '#components/places/boxes.ts';
import { call } from '#lib/api.ts';
import { useCreateVersion } from '#queries/box-changes.ts';
import { keepPart, withVersion, type BoxPlace } from '#queries/boxes.ts';
import { newVersionAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import { versionForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { NewStored } from '#routes/$environment/boxes/-editing/NewStored.tsx';
import { BoxFrame, MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

const route = getRouteApi('/$environment/boxes/owners/$username/$name/new-version/');

export function NewVersionPage() {
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
  const queryClient = useQueryClient();
  const create = useCreateVersion(place);
  const hrefOf = ({ version }: { version: string }): string => versionHref({ ...place, version });
  return (
    <NewStored
      spec={versionForm}
      blank={{ version: '', description: '' }}
      schema={boxVersion}
      valuesOf={fieldsOfVersion}
      nameOf={({ version }) => version}
      create={(values) => create.mutateAsync(values)}
      replace={async (guard, { version, description }) => {
        const params = { ...place, version };
        const saved = await call(at.boxVersions.update, { params, ...guard, body: { description } });
        keepPart(queryClient, place, (box) => withVersion(box, saved));
        return saved;
      }}
      hrefOf={hrefOf}
      cancelHref={boxHref(place, 'versions')}
      markdownOf={({ description }) => description}
      codeOf={(values) => newVersionAsCode(place, values)}
    />
  );
}
