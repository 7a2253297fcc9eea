import { Card } from '@gatehouse/ui/card';
import { linkClass } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '#components/errors/Failure.tsx';
import { scopeName } from '#components/targets/scope-name.ts';
import { scopesQuery, targetCountQuery } from '#queries/access.ts';
import { globalScope } from '#queries/global-scope.ts';

/** Organizations to count separately; each count is a request. */
const countedOrgs = 8;

/** Counts targets, in total and by organization. */
export function useTargetCounts(environment: string, isConnected: boolean) {
  const total = useQuery({ ...targetCountQuery(environment, globalScope), enabled: isConnected });
  const scopes = useQuery({ ...scopesQuery(environment), enabled: isConnected });
  const orgs = scopes.data?.filter(({ type }) => type === 'org') ?? [];
  const counts = useQueries({
    queries: orgs.slice(0, countedOrgs).map(({ id }) => targetCountQuery(environment, id)),
  });
  return { total, orgs, counts, isKnown: [total, scopes, ...counts].every(({ isLoading }) => !isLoading) };
}

/** The number of targets, in total and by organization. */
export function TargetCountsCard({
  environment,
  of: { total, orgs, counts, isKnown },
}: {
  environment: string;
  of: ReturnType<typeof useTargetCounts>;
}) {
  const rows = orgs
    .slice(0, countedOrgs)
    .map((org, index) => ({ org, count: counts[index]?.data }))
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  return (
    <Card title="Targets">
      {total.isError && total.data === undefined ? (
        <Failure error={total.error} onRetry={() => void total.refetch()} />
      ) : total.data === undefined || !isKnown ? (
        <SkeletonList label="Counting targets" lines={3} />
      ) : (
        <div className="flex flex-col gap-3">
          <p className="flex items-baseline gap-2">
            <Link
              to="/$environment/targets"
              params={{ environment }}
              className={`text-title font-semibold ${linkClass({ tone: 'quiet' })}`}
            >
              {total.data.toLocaleString('en')}
            </Link>
            <span className="text-ink-2">{total.data === 1 ? 'target' : 'targets'} in all</span>
          </p>
          {rows.length > 0 && (
            <ul className="flex flex-col gap-2">
              {rows.map(({ org, count }) => (
                <li key={org.id} className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1">
                  <Link
                    to="/$environment/targets"
                    params={{ environment }}
                    search={{ scope: org.id }}
                    className={`truncate ${linkClass({ tone: 'quiet' })}`}
                  >
                    {scopeName(org)}
                  </Link>
                  <span className="text-ink-2">{count?.toLocaleString('en') ?? '…'}</span>
                  <span aria-hidden className="col-span-2 h-1 rounded-tag bg-sunken">
                    <span
                      className="block h-1 rounded-tag bg-accent"
                      style={{ width: `${String(((count ?? 0) / most) * 100)}%` }}
                    />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {orgs.length > countedOrgs && (
            <p className="text-meta text-ink-2">and {orgs.length - countedOrgs} more organizations.</p>
          )}
        </div>
      )}
    </Card>
  );
}
