import { Link } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { crumbsOf, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { queryClient } from '#lib/query-client.ts';
import { secretQuery } from '#queries/secrets.ts';
import { reasonAgainstEditing } from '#routes/$environment/secrets/may.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { EditSecretForm } from './EditSecretForm.tsx';

export const Route = createFileRoute('/$environment/secrets/$mount/edit/$/')({
  loader: ({ params: { environment, mount, _splat: path = '' } }) => {
    void queryClient.prefetchQuery(secretQuery({ environment, mount, path }));
  },
  component: EditSecretPage,
});

/** Edits a secret: saves a new version. */
function EditSecretPage() {
  const place = useSecretPlace();
  // The edit begins with the newest version, not with one that was shown before.
  const query = useQuery({ ...secretQuery(place), refetchOnMount: 'always' });
  usePageTitle(`Edit ${fullName(place)}`);
  const name = nameOf(place.path);
  const cannotEdit = query.data && reasonAgainstEditing(query.data);
  return (
    <>
      <PageHeader
        icon={PencilLine}
        title={`Edit ${name}`}
        ancestors={[...crumbsOf(place), { id: 'secret', label: name, href: secretHref(place) }]}
      />
      {query.data && query.isFetchedAfterMount && cannotEdit === undefined && (
        <EditSecretForm key={fullName(place)} place={place} latest={query.data} />
      )}
      {cannotEdit !== undefined && (
        <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
          <p>{cannotEdit}</p>
          <Link href={secretHref(place)}>Go to the secret</Link>
        </div>
      )}
      {!query.isFetchedAfterMount && cannotEdit === undefined && (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading the secret" lines={8} />
        </div>
      )}
      {query.isError && !query.data && (
        <Failure
          error={query.error}
          onRetry={() => void query.refetch()}
          action={<Link href={secretHref(place)}>Go to the secret</Link>}
        />
      )}
    </>
  );
}
