import { NewPlaced } from '#components/record/NewPlaced.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { catalogNames, newCatalogForm } from '../forms.ts';
import { shownCatalogs } from '../kinds.ts';

export function NewCatalogPage() {
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
