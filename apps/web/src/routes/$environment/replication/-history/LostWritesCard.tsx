import type { LostWrite } from '@gatehouse/api-types/console/replication-status';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { Link } from '@gatehouse/ui/link';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { secretHref } from '#components/places/secrets.ts';
import { counted } from '#lib/counted.ts';
import { lostWritesQuery } from '#queries/replication.ts';
import { mountsQuery } from '#queries/secrets.ts';
import { lackingRight } from '../-actions/possible.ts';
import { isStarting, lostDependOn, type Cluster } from '../-clusters/cluster.ts';
import { HistoryCard } from './HistoryCard.tsx';
import { secretOf } from './lost-record.ts';

const DeleteLost = lazy(async () => ({ default: (await import('./DeleteLost.tsx')).DeleteLost }));

const noneYet = 'None found yet. They are found when this cluster receives from its primary.';

/** Writes that the cluster accepted but its primary never had, page by page, until they are deleted. */
export function LostWritesCard({ cluster }: { cluster: Cluster }) {
  const { place } = cluster;
  const may = cluster.mode === 'unread' ? null : cluster.may;
  const reason = lackingRight(may, 'read_lost_writes', 'read lost writes');
  const query = useInfiniteQuery({
    ...lostWritesQuery(place.id, lostDependOn(cluster)),
    enabled: reason === undefined,
  });
  const { data, error, refetch } = query;
  const [first] = data?.pages ?? [];
  const items = first?.items === null ? null : data?.pages.flatMap((page) => page.items ?? []);
  const mounts = useQuery({ ...mountsQuery(place.id), enabled: (items ?? []).length > 0, retry: false });
  const mayFindMore = cluster.mode === 'secondary' && cluster.standing === 'following' && isStarting(cluster);
  const total = first?.total ?? items?.length ?? 0;
  const newest = items?.[0]?.id ?? null;
  const [isAsked, setAsked] = useState(false);
  const paths = (mounts.data ?? []).map(({ path }) => path);
  return (
    <>
      <HistoryCard
        id="lost-writes"
        label="Lost writes"
        title={total === 0 ? 'Lost writes' : counted(total, 'lost write')}
        read={{ items, error, retry: () => void refetch() }}
        reason={reason}
        none={mayFindMore ? noneYet : 'This cluster has no lost writes.'}
        untold="The server doesn't list lost writes."
        about="This cluster acknowledged these writes, but its primary never received them. Values aren't shown. Check each record on the primary, and rewrite the records that are still needed."
        actions={
          newest !== null && (
            <Button
              size={28}
              disabledReason={lackingRight(may, 'delete_lost_writes', 'delete lost writes')}
              onPress={() => {
                setAsked(true);
              }}
            >
              Delete lost writes
            </Button>
          )
        }
        more={
          query.hasNextPage
            ? {
                label: 'Show older',
                isPending: query.isFetchingNextPage,
                onPress: () => void query.fetchNextPage(),
              }
            : undefined
        }
        row={(item) => <LostRow write={item} environment={place.id} mounts={paths} />}
      />
      {isAsked && newest !== null && (
        <Suspense fallback={null}>
          <DeleteLost
            place={place}
            upTo={newest}
            total={total}
            onClose={() => {
              setAsked(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

function LostRow({
  write: { seq, time, found_time: found, records },
  environment,
  mounts,
}: {
  write: LostWrite;
  environment: string;
  mounts: readonly string[];
}) {
  return (
    <>
      <ul className="text-body text-ink-1 wrap-anywhere">
        {records.length === 0 && <li>An entry without records</li>}
        {records.map((record) => {
          const secret = secretOf(record, mounts);
          return (
            <li key={record}>
              {secret === undefined ? (
                record
              ) : (
                <Link href={secretHref({ environment, ...secret })}>{record}</Link>
              )}
            </li>
          );
        })}
      </ul>
      <p className="text-meta text-ink-2">
        Entry {seq.toLocaleString('en')}, written <Time value={time} />, found lost <Time value={found} />
      </p>
    </>
  );
}
