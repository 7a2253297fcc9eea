import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { DownloadsChart } from '#components/downloads/DownloadsChart.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { boxDownloadsQuery, type BoxPlace } from '#queries/boxes.ts';

/** Downloads of a box over time; nothing if the registry doesn't report them by day. */
export function BoxDownloads({ place }: { place: BoxPlace }) {
  const { data, isError, error, refetch } = useQuery(boxDownloadsQuery(place));
  if (data === null) return null;
  return (
    <Card title="Downloads">
      {data !== undefined ? (
        <DownloadsChart daily={data} />
      ) : isError ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonList label="Counting downloads" lines={4} />
      )}
    </Card>
  );
}
