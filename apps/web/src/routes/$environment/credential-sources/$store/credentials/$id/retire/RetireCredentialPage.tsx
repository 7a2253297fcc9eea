import { getRouteApi } from '@tanstack/react-router';
import { credentials } from '../../../../../../../queries/credential-sources.ts';
import { credentialHref } from '../../../../places.ts';
import { RetireSource } from '../../../../RetireSource.tsx';

const route = getRouteApi('/$environment/credential-sources/$store/credentials/$id/retire/');

/** Puts another credential in the place of this one, target by target. */
export function RetireCredentialPage() {
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
