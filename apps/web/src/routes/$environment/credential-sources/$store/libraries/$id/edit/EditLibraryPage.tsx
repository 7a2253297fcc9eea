import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '../../../../../../../components/layout/use-environment.ts';
import { EditRecord } from '../../../../../../../components/record/EditRecord.tsx';
import { libraryKind } from '../../../../library-kind.ts';
import { libraryHref, storeHref } from '../../../../places.ts';
import { useStoreCrumbs } from '../../../use-store.ts';

const route = getRouteApi('/$environment/credential-sources/$store/libraries/$id/edit/');

export function EditLibraryPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <EditRecord
      kind={libraryKind}
      id={id}
      ancestors={ancestors}
      hrefOf={(library) => libraryHref(environment.id, store, library)}
      listHref={storeHref(environment.id, store)}
    />
  );
}
