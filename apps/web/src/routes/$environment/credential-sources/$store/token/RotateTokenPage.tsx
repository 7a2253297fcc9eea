import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { storeHref, storesHref } from '#components/places/credential-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { useStoreCrumbs } from '../../use-store.ts';
import { tokenKind } from '../../vault-store-kind.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/token/')({
  component: RotateTokenPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/token/');

/** Replaces a store's token. */
function RotateTokenPage() {
  const { store } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <EditRecord
      kind={tokenKind}
      address={store}
      title={(item) =>
        `Rotate the token of ${item === undefined ? `the ${tokenKind.noun}` : tokenKind.nameOf(item)}`
      }
      ancestors={ancestors}
      hrefOf={({ id: saved }) => storeHref(environment.id, saved)}
      listHref={storesHref(environment.id)}
    />
  );
}
