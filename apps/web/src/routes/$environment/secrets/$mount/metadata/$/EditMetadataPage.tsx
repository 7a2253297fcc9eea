import { createFileRoute } from '@tanstack/react-router';
import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { folderOf } from '#lib/folder-of.ts';
import { queryClient } from '#lib/query-client.ts';
import { secretEngineQuery } from '#queries/secret-metadata.ts';
import { secretMetadataQuery } from '#queries/secret-versions.ts';
import { metadataKind } from '#routes/$environment/secrets/-metadata/metadata-kinds.tsx';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

export const Route = createFileRoute('/$environment/secrets/$mount/metadata/$/')({
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchQuery(secretMetadataQuery({ environment, mount, path }));
    void queryClient.prefetchQuery(secretEngineQuery({ environment, mount }));
  },
  component: EditMetadataPage,
});

/** Edits a secret's settings and custom metadata. */
function EditMetadataPage() {
  const place = useSecretPlace();
  const here = secretHref(place, { tab: 'metadata' });
  return (
    <EditRecord
      kind={metadataKind}
      address={place}
      title={() => 'Edit metadata'}
      pageTitle={() => `Metadata of ${fullName(place)}`}
      ancestors={[...crumbsOf(place), { id: 'secret', label: nameOf(place.path), href: here }]}
      hrefOf={() => here}
      listHref={folderHref({ ...place, path: folderOf(place.path) })}
    />
  );
}
