import { buttonClass } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { linkClass } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { counted } from '#lib/counted.ts';
import { newestModulesQuery } from '#queries/modules.ts';

/** The modules with the newest versions. */
export function RecentModulesCard({ environment }: { environment: string }) {
  const query = useQuery(newestModulesQuery(environment));
  const { data } = query;
  return (
    <Card
      isFlush
      // A longer list is only partly known.
      title={data?.isWhole === false ? 'Modules' : 'Recently published modules'}
      actions={
        <Link
          to="/$environment/modules"
          params={{ environment }}
          className={buttonClass({ variant: 'ghost', size: 28 })}
        >
          All modules
        </Link>
      }
    >
      {query.isPending && (
        <div className="px-4">
          <SkeletonList label="Loading modules" lines={4} />
        </div>
      )}
      {query.isError && !data && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {data?.modules.length === 0 && (
        <p className="px-4 py-3 text-ink-2">No published modules you can see.</p>
      )}
      {data !== undefined && data.modules.length > 0 && (
        <ul>
          {data.modules.map(({ namespace, name, provider, version, downloads, published_time: time }) => (
            <li
              key={`${namespace}/${name}/${provider}`}
              className="flex items-baseline gap-4 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <Link
                to="/$environment/modules/$namespace/$name/$provider"
                params={{ environment, namespace, name, provider }}
                className={`min-w-0 flex-1 truncate ${linkClass({ tone: 'quiet' })}`}
              >
                {namespace}/{name}/{provider}
              </Link>
              <span className="hidden min-w-0 flex-1 truncate text-ink-2 narrow:block">{version}</span>
              <span className="hidden w-36 shrink-0 text-ink-2 tabular-nums wide:block">
                {counted(downloads, 'download')}
              </span>
              <span className="shrink-0 text-end text-ink-2 narrow:w-32">
                {time !== '' && <Time value={time} isRelative />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
