import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { boxCrumbs, boxHref, ownerHref } from '#components/places/boxes.ts';
import { OnceAllowed } from '#components/record/OnceAllowed.tsx';
import { RecordEditor } from '#components/record/RecordEditor.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery } from '#queries/boxes.ts';
import { boxKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { BoxFrame, MayNot } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

export const Route = createFileRoute('/$environment/boxes/owners/$username/$name/edit/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: EditBoxPage,
});

const route = getRouteApi('/$environment/boxes/owners/$username/$name/edit/');

function EditBoxPage() {
  const place = route.useParams();
  const { environment, username } = place;
  usePageTitle(`Edit ${username}/${place.name}`);
  return (
    <>
      <PageHeader icon={PencilLine} title="Edit" ancestors={boxCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {(box) => (
          <OnceAllowed
            reason={reasonAgainstPublishing(box.may, username)}
            refused={(reason) => <MayNot reason={reason} href={boxHref(place)} label="Go to the box" />}
          >
            <RecordEditor
              kind={boxKind}
              address={place}
              item={box}
              hrefOf={({ name }) => boxHref({ environment, username, name })}
              goneHref={ownerHref(environment, username)}
            />
          </OnceAllowed>
        )}
      </BoxFrame>
    </>
  );
}
