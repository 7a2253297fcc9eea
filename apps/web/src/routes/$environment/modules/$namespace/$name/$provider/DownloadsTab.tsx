import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { DownloadsChart } from '#components/downloads/DownloadsChart.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { moduleConsumersQuery, moduleDownloadsQuery } from '#queries/modules.ts';
import { ConsumersTable } from '#routes/$environment/modules/-adoption/ConsumersTable.tsx';
import type { ShownModule } from './shown-module.ts';

/** How often the module is downloaded, and by which tokens. */
export function DownloadsTab({ shown: { place, module } }: { shown: ShownModule }) {
  const downloads = useQuery(moduleDownloadsQuery(place));
  const consumers = useQuery(moduleConsumersQuery(place));
  const { data } = downloads;
  return (
    <div className="flex flex-col gap-4">
      <Card title="Downloads">
        {data === undefined ? (
          <Loading query={downloads} label="Counting downloads" />
        ) : (
          <div className="flex flex-col gap-4">
            <dl className="flex flex-wrap gap-x-8 gap-y-2">
              {(
                [
                  ['This week', data.week],
                  ['This month', data.month],
                  ['This year', data.year],
                  ['Total', data.total],
                ] as const
              ).map(([label, count]) => (
                <div key={label} className="flex flex-col">
                  <dt className="text-meta text-ink-2">{label}</dt>
                  <dd className="text-title font-semibold text-ink-1 tabular-nums">
                    {count.toLocaleString('en')}
                  </dd>
                </div>
              ))}
            </dl>
            {data.daily === null ? (
              <p className="text-body text-ink-2">This registry reports only totals.</p>
            ) : (
              <DownloadsChart daily={data.daily} since={data.daily_since} />
            )}
          </div>
        )}
      </Card>
      <Card title="Consumers" isFlush>
        {consumers.data === undefined ? (
          <div className="px-4">
            <Loading query={consumers} label="Loading consumers" />
          </div>
        ) : consumers.data === null ? (
          <p className="p-4 text-body text-ink-2">This registry doesn't report consumers.</p>
        ) : (
          <ConsumersTable place={place} latest={module.latest} consumers={consumers.data} />
        )}
      </Card>
    </div>
  );
}

function Loading({
  query,
  label,
}: {
  query: { readonly isError: boolean; readonly error: unknown; readonly refetch: () => unknown };
  label: string;
}) {
  return query.isError ? (
    <Failure error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <SkeletonList label={label} lines={4} />
  );
}
