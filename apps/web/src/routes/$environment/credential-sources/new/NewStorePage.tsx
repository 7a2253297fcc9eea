import { newCredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { crumbsOf, storeHref, storesHref } from '#components/places/credential-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { WithProjects } from '#components/record/WithProjects.tsx';
import { shownStores } from '../kinds.ts';
import { blankStore, newStoreBody, newStoreForm } from '../new-store-form.ts';
import { storeNames } from '../store-kind.ts';
import { vaultStoreNames } from '../vault-store-kind.ts';

export function NewStorePage() {
  const environment = useEnvironment();
  const ancestors = crumbsOf(environment.id, undefined);
  return (
    <WithProjects
      title="New credential store"
      collection="credential-stores"
      many="credential stores"
      ancestors={ancestors}
      listHref={storesHref(environment.id)}
    >
      {(projects) => (
        <NewRecord
          kind={shownStores}
          ancestors={ancestors}
          blank={blankStore(projects.length === 1 ? (projects[0]?.value ?? '') : '')}
          formKey={({ type }) => type}
          formOf={({ type }) => newStoreForm(projects, type)}
          // The form was checked by the same schema.
          bodyOf={(values) => newCredentialStore.parse(newStoreBody(values))}
          codeOf={(values) => {
            const { type, ...entered } = newStoreBody(values);
            return newAsCode(type === 'vault' ? vaultStoreNames : storeNames, {}, entered);
          }}
          hrefOf={({ id }) => storeHref(environment.id, id)}
          cancelHref={storesHref(environment.id)}
        />
      )}
    </WithProjects>
  );
}
