import type { Secret } from '@gatehouse/api-types/console/secrets';
import { Link } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { crumbsOf, fullName, nameOf, secretHref } from '#components/places/secrets.ts';
import { secretQuery } from '#queries/secrets.ts';
import { reasonAgainstEditing } from '#routes/$environment/secrets/may.ts';
import { useSecretPlace } from '#routes/$environment/secrets/use-secret-place.ts';
import { beginEdit, type EditStart } from './begin-edit.ts';
import { EditSecretForm } from './EditSecretForm.tsx';

/** Edits a secret: saves a new version. */
export function EditSecretPage() {
  const place = useSecretPlace();
  const query = useQuery(secretQuery(place));
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
      {query.data && cannotEdit === undefined && <Opening key={fullName(place)} secret={query.data} />}
      {cannotEdit !== undefined && (
        <div className="flex flex-col items-start gap-3 p-6 text-body text-ink-2">
          <p>{cannotEdit}</p>
          <Link href={secretHref(place)}>Go to the secret</Link>
        </div>
      )}
      {query.isPending && <Loading />}
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

/** Reads the values once, so that later changes count as changes by others. */
function Opening({ secret: latest }: { secret: Secret }) {
  const place = useSecretPlace();
  const [secret] = useState(latest);
  const [start, setStart] = useState<EditStart>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isLeft = false;
    beginEdit(place, secret).then(
      (found) => {
        if (!isLeft) setStart(found);
      },
      (error: unknown) => {
        if (!isLeft) setFailure(error);
      },
    );
    return () => {
      isLeft = true;
    };
  }, [place, secret, tries]);
  if (start !== undefined)
    return <EditSecretForm place={place} secret={secret} latest={latest} start={start} />;
  if (failure === undefined) return <Loading />;
  return (
    <Failure
      error={failure}
      onRetry={() => {
        setFailure(undefined);
        setTries((count) => count + 1);
      }}
      action={<Link href={secretHref(place)}>Go to the secret</Link>}
    />
  );
}

function Loading() {
  return (
    <div className="mx-auto w-full max-w-300 p-6">
      <SkeletonList label="Loading the secret" lines={8} />
    </div>
  );
}
