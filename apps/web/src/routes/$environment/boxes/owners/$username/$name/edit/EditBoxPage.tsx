import { box as boxSchema, fieldsOfBox, type Box } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { recreated } from '#components/conflict/recreate-record.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { boxCrumbs, boxHref, ownerHref } from '#components/places/boxes.ts';
import { useCreateBox, useUpdateBox } from '#queries/box-changes.ts';
import { boxQuery, forgetBox, type BoxPlace } from '#queries/boxes.ts';
import { boxChangesAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import { boxForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { EditStored } from '#routes/$environment/boxes/-editing/EditStored.tsx';
import { BoxFrame, MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

const route = getRouteApi('/$environment/boxes/owners/$username/$name/edit/');

export function EditBoxPage() {
  const place = route.useParams();
  const title = `Edit ${place.username}/${place.name}`;
  usePageTitle(title);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={boxCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {(box) => {
          const reason = reasonAgainstPublishing(box.may, place.username);
          return reason === undefined ? (
            <EditBox place={place} box={box} />
          ) : (
            <MayNot reason={reason} href={boxHref(place)} label="Go to the box" />
          );
        }}
      </BoxFrame>
    </>
  );
}

function EditBox({ place, box }: { place: BoxPlace; box: Box }) {
  const { environment, username } = place;
  const queryClient = useQueryClient();
  const update = useUpdateBox(place);
  const create = useCreateBox(environment, recreated);
  return (
    <EditStored
      item={box}
      spec={boxForm}
      schema={boxSchema}
      fieldsOf={fieldsOfBox}
      nameOf={({ tag }) => tag}
      update={(guard, changes) => update.mutateAsync({ ...guard, changes })}
      reread={() => queryClient.fetchQuery({ ...boxQuery(place), staleTime: 0 })}
      hrefOf={({ name }) => boxHref({ environment, username, name })}
      goneHref={ownerHref(environment, username)}
      forget={() => {
        forgetBox(queryClient, place);
      }}
      recreate={{
        note: 'It is made anew without versions: what was released is gone with the box.',
        make: (fields) => create.mutateAsync({ username, fields }),
      }}
      markdownOf={({ description }) => description}
      codeOf={(_, changes) => boxChangesAsCode(place, changes)}
    />
  );
}
