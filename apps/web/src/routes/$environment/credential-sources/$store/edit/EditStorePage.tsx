import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { isVaultStore } from '#components/places/credential-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { shownStores } from '../../kinds.ts';
import { storeKind } from '../../store-kind.ts';
import { vaultStoreKind } from '../../vault-store-kind.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/edit/')({
  component: EditStorePage,
});

const route = getRouteApi('/$environment/credential-sources/$store/edit/');

function EditStorePage() {
  const { store } = route.useParams();
  const shared = { ...usePlaces(shownStores), address: store };
  return isVaultStore(store) ? (
    <EditRecord kind={vaultStoreKind} {...shared} />
  ) : (
    <EditRecord kind={storeKind} {...shared} />
  );
}
