import { useEnvironment } from '#components/layout/use-environment.ts';
import { catalogHref, catalogsHref, crumbsOf } from '#components/places/host-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithProjects } from '#components/record/WithProjects.tsx';
import { hostCatalogs } from '#queries/host-sources.ts';
import { catalogNames, newCatalogForm } from '../forms.ts';

export function NewCatalogPage() {
  const environment = useEnvironment();
  const ancestors = crumbsOf(environment.id, undefined);
  return (
    <WithProjects
      title="New host catalog"
      collection="host-catalogs"
      many="host catalogs"
      ancestors={ancestors}
    >
      {(projects) => (
        <NewRecord
          noun="host catalog"
          calls={hostCatalogs}
          ancestors={ancestors}
          blank={{
            name: '',
            description: '',
            scope_id: projects.length === 1 ? (projects[0]?.value ?? '') : '',
          }}
          formOf={() => newCatalogForm(projects)}
          bodyOf={(values) => values}
          codeOf={(values) => ({ names: catalogNames, place: {}, values })}
          hrefOf={(id) => catalogHref(environment.id, id)}
          cancelHref={catalogsHref(environment.id)}
        />
      )}
    </WithProjects>
  );
}
