import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { catalogHref, hostHref } from '#components/places/host-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { useCatalog } from '#routes/$environment/host-sources/$catalog/use-catalog.ts';
import { hostKind } from '#routes/$environment/host-sources/forms.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/hosts/$id/edit/')({
  component: EditHostPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/hosts/$id/edit/');

function EditHostPage() {
  const { catalog, id } = route.useParams();
  const environment = useEnvironment();
  const { ancestors } = useCatalog(catalog);
  return (
    <EditRecord
      kind={hostKind}
      address={id}
      ancestors={ancestors}
      hrefOf={({ id: saved }) => hostHref(environment.id, catalog, saved)}
      listHref={`${catalogHref(environment.id, catalog)}?tab=hosts`}
    />
  );
}
