import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { credentialHref } from '#components/places/credential-sources.ts';
import { credentials } from '#queries/credential-sources.ts';
import { RetireSource } from '#routes/$environment/credential-sources/RetireSource.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/$id/retire/')({
  component: RetireCredentialPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/credentials/$id/retire/');

/** Replaces a credential by another, target by target. */
function RetireCredentialPage() {
  const { environment, store, id } = route.useParams();
  return (
    <RetireSource
      noun="credential"
      calls={credentials}
      store={store}
      id={id}
      hereHref={credentialHref(environment, store, id)}
    />
  );
}
