import type { LostWrite, ReplicationTransition } from '@gatehouse/api-types/console/replication-status';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import type { Tone } from '@gatehouse/ui/tone';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { Time } from '#components/layout/Time.tsx';
import { lostWritesQuery, transitionsQuery } from '#queries/replication.ts';
import { lackingRight } from './-actions/possible.ts';
import { roleOf, type Cluster } from './-clusters/cluster.ts';

const shownAtFirst = 8;

/** What became of changes of this cluster's role, and the writes that it lost by them. */
export function HistoryCards({ environment, cluster }: { environment: string; cluster: Cluster }) {
  const role = roleOf(cluster);
  const may = cluster.mode === 'unread' ? null : cluster.may;
  const [noTransitions, noLost] = [
    lackingRight(may, 'read_transitions', 'read changes of role'),
    lackingRight(may, 'read_lost_writes', 'read lost writes'),
  ];
  const transitions = useQuery({
    ...transitionsQuery(environment, role),
    enabled: noTransitions === undefined,
  });
  const lost = useQuery({ ...lostWritesQuery(environment, role), enabled: noLost === undefined });
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <HistoryCard
        title="Changes of role"
        query={transitions}
        reason={noTransitions}
        none="Nothing has changed its role yet."
        untold="The server keeps no log of them."
        row={(item) => <TransitionRow transition={item} />}
      />
      <HistoryCard
        title="Lost writes"
        query={lost}
        reason={noLost}
        none="No write was lost here."
        untold="The server doesn't list them."
        about="Writes that this cluster acknowledged and that its primary never had. Values are not kept readable: look at each record, and write again what is still wanted."
        row={(item) => <LostRow write={item} />}
      />
    </div>
  );
}

function HistoryCard<Item>({
  title,
  query,
  reason,
  none,
  untold,
  about,
  row,
}: {
  title: string;
  query: UseQueryResult<readonly Item[] | null>;
  /** Why it is not read. */
  reason: string | undefined;
  none: string;
  untold: string;
  about?: string;
  row: (item: Item) => ReactNode;
}) {
  const { data } = query;
  const [isWhole, setWhole] = useState(false);
  const items = data ?? [];
  return (
    <Card
      title={title}
      isFlush
      {...(items.length > 0 && about !== undefined && { footer: about })}
      actions={
        items.length > shownAtFirst && (
          <Button
            size={28}
            onPress={() => {
              setWhole(!isWhole);
            }}
          >
            {isWhole ? 'Show the newest' : `Show all ${items.length.toLocaleString('en')}`}
          </Button>
        )
      }
    >
      {reason !== undefined ? (
        <p className="p-4 text-body text-ink-2">{reason}</p>
      ) : data === undefined ? (
        query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className="p-4">
            <SkeletonList label={`Loading ${title.toLowerCase()}`} lines={3} />
          </div>
        )
      ) : (
        items.length === 0 && <p className="p-4 text-body text-ink-2">{data === null ? untold : none}</p>
      )}
      {items.length > 0 && (
        <ol tabIndex={0} aria-label={title} className="max-h-120 overflow-y-auto -outline-offset-2!">
          {items.slice(0, isWhole ? undefined : shownAtFirst).map((item, index) => (
            <li key={index} className="border-b border-line px-4 py-2 last:border-b-0">
              {row(item)}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

const outcomes: Readonly<Record<ReplicationTransition['outcome'], { word: string; tone: Tone | 'neutral' }>> =
  {
    done: { word: 'Done', tone: 'ok' },
    refused: { word: 'Refused', tone: 'warn' },
    failed: { word: 'Failed', tone: 'danger' },
    unknown: { word: 'Unknown', tone: 'neutral' },
  };

function TransitionRow({ transition }: { transition: ReplicationTransition }) {
  const { time, operation, from, to, outcome, by, why, warnings } = transition;
  const { word, tone } = outcomes[outcome];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-1">
        <span className="font-mono text-meta">{operation}</span>
        <Badge tone={tone}>{word}</Badge>
        <span className="ms-auto text-meta text-ink-2">
          <Time value={time} />
        </span>
      </p>
      <p className="text-meta text-ink-2 wrap-anywhere">
        {[
          from !== null && to !== null && (from === to ? `stays ${from}` : `${from} to ${to}`),
          by !== null && `by ${by}`,
          why,
          ...warnings,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </>
  );
}

function LostRow({ write }: { write: LostWrite }) {
  const { seq, time, found_time: found, records } = write;
  return (
    <>
      <p className="text-body text-ink-1 wrap-anywhere">{records.join(', ') || 'An entry without records'}</p>
      <p className="text-meta text-ink-2">
        Entry {seq.toLocaleString('en')}, written <Time value={time} />, found lost <Time value={found} />
      </p>
    </>
  );
}
