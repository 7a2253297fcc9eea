import { getRouteApi } from '@tanstack/react-router';
import { isVaultStore } from '../places.ts';
import { StorePage } from './StorePage.tsx';
import { VaultStorePage } from './VaultStorePage.tsx';

const route = getRouteApi('/$environment/credential-sources/$store/');

/** One credential store, as its type is shown. */
export function AnyStorePage() {
  const { store } = route.useParams();
  return isVaultStore(store) ? <VaultStorePage /> : <StorePage />;
}
