import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { people } from '#queries/people.ts';
import { recordQuery } from '#queries/record-life.ts';
import { useReasonToRemain } from '../../may.ts';
import { DisabledBadge } from '../../people-columns.tsx';
import { personForm } from '../../person-form.ts';
import { personKind } from '../../person-kind.tsx';

export const Route = createFileRoute('/$environment/people/$id/edit/')({
  loader: ({ params: { environment, id } }) => {
    void queryClient.prefetchQuery(recordQuery(people, environment, id));
  },
  component: EditPersonPage,
});

const route = getRouteApi('/$environment/people/$id/edit/');

function EditPersonPage() {
  const { id } = route.useParams();
  const { id: environment } = useEnvironment();
  const listHref = `/${environment}/people`;
  const reasonToRemain = useReasonToRemain(environment, id);
  return (
    <EditRecord
      kind={{ ...personKind, formOf: () => personForm(reasonToRemain), formKey: () => reasonToRemain ?? '' }}
      address={id}
      ancestors={[{ id: 'people', label: 'People', href: listHref }]}
      hrefOf={(person) => `${listHref}/${encodeURIComponent(person.id)}`}
      listHref={listHref}
      meta={DisabledBadge}
    />
  );
}
