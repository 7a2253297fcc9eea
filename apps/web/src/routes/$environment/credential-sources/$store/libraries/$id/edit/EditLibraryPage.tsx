import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { libraryHref, storeHref } from '#components/places/credential-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { libraryKind } from '#routes/$environment/credential-sources/library-kind.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/edit/')({
  component: EditLibraryPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/libraries/$id/edit/');

function EditLibraryPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <EditRecord
      kind={libraryKind}
      address={id}
      ancestors={ancestors}
      hrefOf={({ id: saved }) => libraryHref(environment.id, store, saved)}
      listHref={storeHref(environment.id, store)}
    />
  );
}
