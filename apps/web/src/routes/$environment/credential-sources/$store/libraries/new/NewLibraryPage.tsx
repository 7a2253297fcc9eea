import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { libraryHref, storeHref } from '#components/places/credential-sources.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { newAsCode } from '#components/record/record-as-code.ts';
import { shownLibraries } from '#routes/$environment/credential-sources/kinds.ts';
import {
  blankLibrary,
  libraryNames,
  newLibraryBody,
  newLibraryForm,
} from '#routes/$environment/credential-sources/library-kind.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/new/')({
  component: NewLibraryPage,
});

const route = getRouteApi('/$environment/credential-sources/$store/libraries/new/');

function NewLibraryPage() {
  const { store } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  return (
    <NewRecord
      kind={shownLibraries}
      ancestors={ancestors}
      blank={blankLibrary()}
      formKey={({ credential_type: type, attributes }) => `${type} ${attributes.http_method}`}
      formOf={({ credential_type: type, attributes }) =>
        newLibraryForm({ type, method: attributes.http_method })
      }
      bodyOf={(values) => newLibraryBody(values, store)}
      codeOf={(values) => newAsCode(libraryNames, { credential_store_id: store }, values)}
      hrefOf={({ id }) => libraryHref(environment.id, store, id)}
      cancelHref={storeHref(environment.id, store)}
    />
  );
}
