import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { DisabledBadge } from '../../people-columns.tsx';
import { personKind } from '../../person-kind.tsx';

const route = getRouteApi('/$environment/people/$id/edit/');

export function EditPersonPage() {
  const { id } = route.useParams();
  const listHref = `/${useEnvironment().id}/people`;
  return (
    <EditRecord
      kind={personKind}
      address={id}
      ancestors={[{ id: 'people', label: 'People', href: listHref }]}
      hrefOf={(person) => `${listHref}/${encodeURIComponent(person.id)}`}
      listHref={listHref}
      meta={DisabledBadge}
    />
  );
}
