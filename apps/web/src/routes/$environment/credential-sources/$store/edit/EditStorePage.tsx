import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '../../../../../components/layout/use-environment.ts';
import { EditRecord } from '../../../../../components/record/EditRecord.tsx';
import { crumbsOf, storeHref, storesHref } from '../../places.ts';
import { storeKind } from '../../store-kind.ts';

const route = getRouteApi('/$environment/credential-sources/$store/edit/');

export function EditStorePage() {
  const { store } = route.useParams();
  const environment = useEnvironment();
  return (
    <EditRecord
      kind={storeKind}
      id={store}
      ancestors={crumbsOf(environment.id, undefined)}
      hrefOf={(id) => storeHref(environment.id, id)}
      listHref={storesHref(environment.id)}
    />
  );
}
