import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { LinkedRecords } from '#components/record/DetailCard.tsx';
import { isApiError } from '#lib/api-error.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { targetsUsingSecretQuery } from '#queries/secret-uses.ts';
import type { SecretPlace } from '#queries/secrets.ts';

/** The targets of the access controller whose sources read this secret. */
export function UsedBySecret({ place }: { place: SecretPlace }) {
  const query = useQuery(targetsUsingSecretQuery(place));
  // Who has no account there is not asked to make one here.
  if (isApiError(query.error, 'not-connected', 'forbidden')) return null;
  const { data } = query;
  return (
    <Card
      title={
        data === undefined || data.items.length === 0
          ? 'Used by'
          : `Used by ${counted(data.items.length, 'target')}`
      }
      isFlush
      {...(data?.more === true && {
        footer: 'There is more than was looked at: other targets may use it too.',
      })}
    >
      {query.isPending && (
        <div className="p-4">
          <SkeletonList label="Looking up which targets use it" lines={2} />
        </div>
      )}
      {query.isError && data === undefined && (
        <p className="p-4 text-body text-ink-2">
          Which targets use it could not be looked up. {wordsOf(query.error).detail}
        </p>
      )}
      {data?.items.length === 0 && (
        <p className="p-4 text-body text-ink-2">No target that you may see reads it.</p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <LinkedRecords
          label="Targets that use it"
          items={data.items.map(({ id, name, libraries }) => ({
            id,
            name,
            href: `/${place.environment}/targets/${encodeURIComponent(id)}`,
            detail: libraries.map((library) => library.name || library.id).join(', '),
          }))}
        />
      )}
    </Card>
  );
}
