import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '../../../../../../../components/layout/use-environment.ts';
import { nameOrId } from '../../../../../../../components/record/record-kind.ts';
import { RetirePage } from '../../../../../../../components/source/RetirePage.tsx';
import { credentialChoicesQuery, credentials } from '../../../../../../../queries/credential-sources.ts';
import { recordQuery } from '../../../../../../../queries/records.ts';
import { credentialKinds } from '../../../../../../../queries/target-sources.ts';
import { typeLabel } from '../../../../credential-types.ts';
import { credentialHref } from '../../../../places.ts';
import { useStoreCrumbs } from '../../../use-store.ts';

const route = getRouteApi('/$environment/credential-sources/$store/credentials/$id/retire/');

/** Puts another credential in the place of this one, target by target. */
export function RetireCredentialPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  const credential = useQuery(recordQuery(credentials, environment.id, id));
  const scope = credential.data?.scope.id;
  const [search, setSearch] = useState('');
  const choices = useQuery({
    ...credentialChoicesQuery(environment.id, scope ?? '', search),
    enabled: scope !== undefined,
    placeholderData: (previous) => previous,
  });
  return (
    <RetirePage
      noun="credential"
      kinds={credentialKinds}
      source={credential.data && { id, name: nameOrId(credential.data), scope: credential.data.scope.id }}
      failure={credential.error}
      onRetry={() => void credential.refetch()}
      ancestors={ancestors}
      hereHref={credentialHref(environment.id, store, id)}
      search={search}
      onSearch={setSearch}
      isSearching={choices.isFetching}
      choices={(choices.data?.items ?? [])
        .filter((choice) => choice.id !== id)
        .map((choice) => ({
          id: choice.id,
          label: nameOrId(choice),
          detail: `${typeLabel(choice.credential_type)} · ${choice.credential_store_name || choice.credential_store_id} · ${choice.id}`,
        }))}
    />
  );
}
