import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { credentialHref, storeHref } from '#components/places/credential-sources.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { credentialKind } from '#routes/$environment/credential-sources/credential-kind.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/edit/')({
  component: EditCredentialPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/credentials/$id/edit/');

function EditCredentialPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <EditRecord
      kind={credentialKind}
      address={id}
      ancestors={ancestors}
      hrefOf={({ id: saved }) => credentialHref(environment.id, store, saved)}
      listHref={storeHref(environment.id, store)}
    />
  );
}
