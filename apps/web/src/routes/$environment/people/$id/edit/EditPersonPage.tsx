import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { useReasonToRemain } from '../../may.ts';
import { DisabledBadge } from '../../people-columns.tsx';
import { personForm } from '../../person-form.ts';
import { personKind } from '../../person-kind.tsx';

const route = getRouteApi('/$environment/people/$id/edit/');

export function EditPersonPage() {
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
