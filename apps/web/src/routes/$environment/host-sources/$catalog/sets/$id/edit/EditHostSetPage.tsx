import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostSetHref } from '#components/places/host-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { useCatalog } from '#routes/$environment/host-sources/$catalog/use-catalog.ts';
import { hostSetKind } from '#routes/$environment/host-sources/forms.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/sets/$id/edit/')({
  component: EditHostSetPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/sets/$id/edit/');

function EditHostSetPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <EditRecord
      kind={hostSetKind}
      address={id}
      ancestors={ancestors}
      hrefOf={({ id: saved }) => hostSetHref(environment.id, catalog, saved)}
      listHref={catalogHref(environment.id, catalog)}
    />
  );
}
