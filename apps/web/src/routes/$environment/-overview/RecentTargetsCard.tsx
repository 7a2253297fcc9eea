import { buttonClass } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { linkClass } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { showHostSets } from '#components/targets/show-target.ts';
import { newestTargetsQuery } from '#queries/access.ts';

const shown = 8;

/** The most recently changed targets, among those on the first page. */
export function RecentTargetsCard({ environment }: { environment: string }) {
  const query = useQuery(newestTargetsQuery(environment));
  const items = query.data?.items
    .toSorted((a, b) => b.updated_time.localeCompare(a.updated_time))
    .slice(0, shown);
  const isPartial = query.data?.next_page_token !== undefined;
  return (
    <Card
      isFlush
      title="Recently changed targets"
      {...(isPartial && { footer: 'Of the 1,000 most recently created.' })}
      actions={
        <Link
          to="/$environment/targets"
          params={{ environment }}
          search={{ sort: '-updated_time' }}
          className={buttonClass({ variant: 'ghost', size: 28 })}
        >
          All targets
        </Link>
      }
    >
      {query.isPending && (
        <div className="px-4">
          <SkeletonList label="Loading targets" lines={4} />
        </div>
      )}
      {query.isError && !items && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {items?.length === 0 && <p className="px-4 py-3 text-ink-2">No targets yet</p>}
      {items && items.length > 0 && (
        <ul>
          {items.map((target) => (
            <li
              key={target.id}
              className="flex items-baseline gap-4 border-b border-line px-4 py-1.5 last:border-b-0"
            >
              <Link
                to="/$environment/targets/$id"
                params={{ environment, id: target.id }}
                className={`min-w-0 flex-1 truncate ${linkClass({ tone: 'quiet' })}`}
              >
                {target.name}
              </Link>
              <span className="hidden min-w-0 flex-1 truncate font-mono text-meta text-ink-2 narrow:block">
                {target.address === '' ? (
                  <span className="font-sans text-ink-3">{showHostSets(target)}</span>
                ) : (
                  target.address
                )}
              </span>
              <span className="hidden w-36 shrink-0 truncate text-ink-2 wide:block">{target.scope.name}</span>
              <span className="shrink-0 text-end text-ink-2 narrow:w-32">
                <Time value={target.updated_time} isRelative />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
