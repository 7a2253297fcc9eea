import { createFileRoute } from '@tanstack/react-router';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { catalogKind } from '../../forms.ts';
import { shownCatalogs } from '../../kinds.ts';

export const Route = createFileRoute('/$environment/host-sources/$catalog/edit/')({
  component: EditCatalogPage,
});

function EditCatalogPage() {
  return <EditRecord {...usePlaces(shownCatalogs)} kind={catalogKind} address={Route.useParams().catalog} />;
}
