import {
  type CredentialLibrary,
  libraryCredentialTypes,
  mappingsOf,
} from '@gatehouse/api-types/console/credential-libraries';
import type { KeyValue } from '@gatehouse/ui/key-value-list';
import { lazy } from '@gatehouse/ui/lazy';
import { Link } from '@gatehouse/ui/link';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { libraryHref, storeHref } from '#components/places/credential-sources.ts';
import { DetailCard, DetailCards, IdentityCard } from '#components/record/DetailCard.tsx';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { attributeLabel, typeLabel } from '#components/source/credential-types.ts';
import { UsedByCard } from '#components/source/UsedByCard.tsx';
import { whatItReads } from '#components/source/what-it-reads.ts';
import { queryClient } from '#lib/query-client.ts';
import { credentialLibraries } from '#queries/credential-libraries.ts';
import { credentialStores } from '#queries/credential-sources.ts';
import { recordQuery } from '#queries/record-life.ts';
import { credentialKinds } from '#queries/target-sources.ts';
import { shownLibraries } from '#routes/$environment/credential-sources/kinds.ts';
import { useStoreCrumbs } from '#routes/$environment/credential-sources/use-store.ts';

export const Route = createFileRoute('/$environment/credential-sources/$store/libraries/$id/')({
  loader: ({ params: { environment, store, id } }) => {
    void queryClient.prefetchQuery(recordQuery(credentialStores, environment, store));
    void queryClient.prefetchQuery(recordQuery(credentialLibraries, environment, id));
  },
  component: LibraryPage,
});

const DeleteLibrary = lazy(async () => ({ default: (await import('./DeleteLibrary.tsx')).DeleteLibrary }));
const route = getRouteApi('/$environment/credential-sources/$store/libraries/$id/');

/** One library: its request, the credentials it makes from the response, and the targets that use it. */
function LibraryPage() {
  const { store, id } = route.useParams();
  const environment = useEnvironment();
  const ancestors = useStoreCrumbs(store);
  const here = libraryHref(environment.id, store, id);
  return (
    <RecordDetail
      kind={shownLibraries}
      id={id}
      ancestors={ancestors}
      listHref={storeHref(environment.id, store)}
      editHref={`${here}/edit`}
      Deletion={DeleteLibrary}
    >
      {(library) => (
        <DetailCards>
          <div className="flex flex-col gap-4">
            <DetailCard title="Request" items={requestItems(library, environment.id)} />
            <DetailCard title="Credential" items={credentialItems(library)} />
            <UsedByCard
              scope={library.scope.id}
              ids={[library.id]}
              kinds={credentialKinds}
              retireHref={`${here}/retire`}
            />
          </div>
          <IdentityCard item={library} />
        </DetailCards>
      )}
    </RecordDetail>
  );
}

function requestItems(library: CredentialLibrary, environment: string): readonly KeyValue[] {
  const { attributes } = library;
  const read = whatItReads(environment, library);
  return [
    { label: 'Path', value: attributes.path, isMono: true, copyText: attributes.path },
    { label: 'Method', value: attributes.http_method, isMono: true },
    ...(attributes.http_request_body === ''
      ? []
      : [{ label: 'Body', value: attributes.http_request_body, isMono: true }]),
    ...(read === undefined ? [] : [{ label: read.label, value: <Link href={read.href}>{read.name}</Link> }]),
  ];
}

function credentialItems({
  credential_type: type,
  credential_mapping_overrides: overrides,
}: CredentialLibrary): readonly KeyValue[] {
  const known = libraryCredentialTypes.find((one) => one === type) ?? '';
  return [
    { label: 'Type', value: typeLabel(type) },
    ...mappingsOf[known].map(([field, name]) => ({
      label: `${attributeLabel(name)} is in`,
      value: overrides[field] ?? name,
      isMono: true,
    })),
  ];
}
