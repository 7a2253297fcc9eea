import { newCredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { createFileRoute } from '@tanstack/react-router';
import { NewPlaced } from '#components/record/NewPlaced.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { shownStores } from '../kinds.ts';
import { blankStore, newStoreBody, newStoreForm } from '../new-store-form.ts';
import { storeNames } from '../store-kind.ts';
import { vaultStoreNames } from '../vault-store-kind.ts';

export const Route = createFileRoute('/$environment/credential-sources/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: NewStorePage,
});

function NewStorePage() {
  return (
    <NewPlaced
      kind={shownStores}
      blankIn={blankStore}
      formKey={({ type }) => type}
      formIn={newStoreForm}
      // The form was validated with the same schema.
      bodyOf={(values) => newCredentialStore.parse(newStoreBody(values))}
      codeOf={(values) => {
        const { type, ...entered } = newStoreBody(values);
        return newAsCode(type === 'vault' ? vaultStoreNames : storeNames, {}, entered);
      }}
    />
  );
}
