import { createFileRoute } from '@tanstack/react-router';
import { NewPlaced } from '#components/record/NewPlaced.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery } from '#queries/access.ts';
import { catalogNames, newCatalogForm } from '../forms.ts';
import { shownCatalogs } from '../kinds.ts';

export const Route = createFileRoute('/$environment/host-sources/new/')({
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: NewCatalogPage,
});

function NewCatalogPage() {
  return (
    <NewPlaced
      kind={shownCatalogs}
      blankIn={(scope_id) => ({ name: '', description: '', scope_id })}
      formIn={newCatalogForm}
      bodyOf={(values) => values}
      codeOf={(values) => newAsCode(catalogNames, {}, values)}
    />
  );
}
