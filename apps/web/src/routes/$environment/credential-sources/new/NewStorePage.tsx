import { useEnvironment } from '../../../../components/layout/use-environment.ts';
import { NewRecord } from '../../../../components/record/NewRecord.tsx';
import { WithProjects } from '../../../../components/record/WithProjects.tsx';
import { credentialStores } from '../../../../queries/credential-sources.ts';
import { crumbsOf, storeHref, storesHref } from '../places.ts';
import { newStoreForm, storeNames } from '../store-kind.ts';

export function NewStorePage() {
  const environment = useEnvironment();
  const ancestors = crumbsOf(environment.id, undefined);
  return (
    <WithProjects
      title="New credential store"
      collection="credential-stores"
      many="credential stores"
      ancestors={ancestors}
    >
      {(projects) => (
        <NewRecord
          noun="credential store"
          calls={credentialStores}
          ancestors={ancestors}
          blank={{
            name: '',
            description: '',
            scope_id: projects.length === 1 ? (projects[0]?.value ?? '') : '',
          }}
          formOf={() => newStoreForm(projects)}
          bodyOf={(values) => values}
          codeOf={(values) => ({ names: storeNames, place: {}, values })}
          hrefOf={(id) => storeHref(environment.id, id)}
          cancelHref={storesHref(environment.id)}
        />
      )}
    </WithProjects>
  );
}
