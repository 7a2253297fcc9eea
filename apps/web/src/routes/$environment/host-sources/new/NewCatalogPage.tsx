import { useEnvironment } from '#components/layout/use-environment.ts';
import { catalogHref, catalogsHref, crumbsOf } from '#components/places/host-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { WithProjects } from '#components/record/WithProjects.tsx';
import { catalogNames, newCatalogForm } from '../forms.ts';
import { shownCatalogs } from '../kinds.ts';

export function NewCatalogPage() {
  const environment = useEnvironment();
  const ancestors = crumbsOf(environment.id, undefined);
  return (
    <WithProjects
      title="New host catalog"
      collection="host-catalogs"
      many="host catalogs"
      ancestors={ancestors}
      listHref={catalogsHref(environment.id)}
    >
      {(projects) => (
        <NewRecord
          kind={shownCatalogs}
          ancestors={ancestors}
          blank={{
            name: '',
            description: '',
            scope_id: projects.length === 1 ? (projects[0]?.value ?? '') : '',
          }}
          formOf={() => newCatalogForm(projects)}
          bodyOf={(values) => values}
          codeOf={(values) => newAsCode(catalogNames, {}, values)}
          hrefOf={({ id }) => catalogHref(environment.id, id)}
          cancelHref={catalogsHref(environment.id)}
        />
      )}
    </WithProjects>
  );
}
