import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { moduleVersionQuery, type ModulePlace } from '#queries/modules.ts';

const UpgradeDiff = lazy(async () => ({
  default: (await import('#components/modules/upgrade/UpgradeDiff.tsx')).UpgradeDiff,
}));

/** What the new version changes for those who have the one before. */
export function Before({
  place,
  before,
  content,
}: {
  place: ModulePlace;
  /** The number of the version before. */
  before: string;
  content: ModuleContent;
}) {
  const query = useQuery(moduleVersionQuery(place, before));
  const loading = <SkeletonList label={`Loading version ${before}`} lines={4} />;
  return (
    <Card title={`Compared with ${before}`}>
      {query.data !== undefined ? (
        <Suspense fallback={loading}>
          <UpgradeDiff from={query.data.content} to={content} />
        </Suspense>
      ) : query.isError ? (
        <p className="text-body text-ink-2">
          {before} can't be read, so there is nothing to compare with: {wordsOf(query.error).detail}
        </p>
      ) : (
        loading
      )}
    </Card>
  );
}
