import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { catalogKind } from '../../forms.ts';
import { shownCatalogs } from '../../kinds.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/edit/')({
  component: EditCatalogPage,
});

const route = getRouteApi('/$environment/host-sources/$catalog/edit/');

function EditCatalogPage() {
  return <EditRecord {...usePlaces(shownCatalogs)} kind={catalogKind} address={route.useParams().catalog} />;
}
