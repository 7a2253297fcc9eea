import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { libraryHref } from '#components/places/credential-sources.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { RetireSource } from '#routes/$environment/credential-sources/RetireSource.tsx';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/retire/')({
  component: RetireLibraryPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/libraries/$id/retire/');

/** Replaces a library by a credential or another library, target by target. */
function RetireLibraryPage() {
  const { environment, store, id } = route.useParams();
  return (
    <RetireSource
      noun="credential library"
      calls={credentialLibraries}
      store={store}
      id={id}
      hereHref={libraryHref(environment, store, id)}
    />
  );
}
