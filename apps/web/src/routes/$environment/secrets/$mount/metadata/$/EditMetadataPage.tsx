import { crumbsOf, folderHref, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { folderOf } from '#lib/folder-of.ts';
import { metadataKind } from '#routes/$environment/secrets/-metadata/metadata-kinds.tsx';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';

/** Edits a secret's settings and custom metadata. */
export function EditMetadataPage() {
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
