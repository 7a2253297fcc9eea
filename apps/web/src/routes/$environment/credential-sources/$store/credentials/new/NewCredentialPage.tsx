import { newCredential } from '@gatehouse/api-types/console/credential-sources';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { credentialHref, storeHref } from '#components/places/credential-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import {
  blankCredential,
  credentialNames,
  newBody,
  newCredentialForm,
} from '#routes/$environment/credential-sources/credential-kind.ts';
import { shownCredentials } from '#routes/$environment/credential-sources/kinds.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/credentials/new/')({
  component: NewCredentialPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/credentials/new/');

function NewCredentialPage() {
  const { store } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <NewRecord
      kind={shownCredentials}
      ancestors={ancestors}
      blank={blankCredential('username_password')}
      formKey={({ type }) => type}
      formOf={({ type }) => newCredentialForm(type)}
      // The form was validated with the same schema.
      bodyOf={(values) => newCredential.parse(newBody(values, store))}
      codeOf={(values) => {
        const { type: _, credential_store_id: __, ...entered } = newBody(values, store);
        return newAsCode(credentialNames(values.type), { credential_store_id: store }, entered);
      }}
      hrefOf={({ id }) => credentialHref(environment.id, store, id)}
      cancelHref={storeHref(environment.id, store)}
    />
  );
}
