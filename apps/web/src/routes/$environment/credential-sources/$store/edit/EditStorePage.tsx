import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { crumbsOf, isVaultStore, storeHref, storesHref } from '#components/places/credential-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { storeKind } from '../../store-kind.ts';
import { vaultStoreKind } from '../../vault-store-kind.ts';

const route = getRouteApi('/$environment/credential-sources/$store/edit/');

export function EditStorePage() {
  const { store } = route.useParams();
  const environment = useEnvironment();
  const shared = {
    address: store,
    ancestors: crumbsOf(environment.id, undefined),
    hrefOf: ({ id }: CredentialStore) => storeHref(environment.id, id),
    listHref: storesHref(environment.id),
  };
  return isVaultStore(store) ? (
    <EditRecord kind={vaultStoreKind} {...shared} />
  ) : (
    <EditRecord kind={storeKind} {...shared} />
  );
}
