import type { ReplicationTransition } from '@gatehouse/api-types/console/replication-status';
import { Badge } from '@gatehouse/ui/badge';
import type { Tone } from '@gatehouse/ui/tone';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { transitionsQuery } from '#queries/replication.ts';
import { lackingRight } from '../-actions/possible.ts';
import { roleOf, type Cluster } from '../-clusters/cluster.ts';
import { HistoryCard } from './HistoryCard.tsx';
import { LostWritesCard } from './LostWritesCard.tsx';
import { operationWords } from './operation-words.ts';

const shownAtFirst = 8;

/** Past role changes of a cluster, and the writes that it lost in them. */
export function HistoryCards({ cluster }: { cluster: Cluster }) {
  const hash = useRouterState({ select: (state) => state.location.hash });
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <TransitionsCard cluster={cluster} />
      <LostWritesCard cluster={cluster} />
    </div>
  );
}

function TransitionsCard({ cluster }: { cluster: Cluster }) {
  const may = cluster.mode === 'unread' ? null : cluster.may;
  const reason = lackingRight(may, 'read_transitions', 'read role changes');
  const query = useQuery({
    ...transitionsQuery(cluster.place.id, roleOf(cluster)),
    enabled: reason === undefined,
  });
  const [isWhole, setWhole] = useState(false);
  const { data, error, refetch } = query;
  const count = data?.length ?? 0;
  return (
    <HistoryCard
      id="changes-of-role"
      label="Role changes"
      read={{
        items: isWhole ? data : (data?.slice(0, shownAtFirst) ?? data),
        error,
        retry: () => void refetch(),
      }}
      reason={reason}
      none="The role of this cluster has never changed."
      untold="The server doesn't log role changes."
      more={
        count > shownAtFirst
          ? {
              label: isWhole ? 'Show only the newest' : `Show all ${count.toLocaleString('en')}`,
              isPending: false,
              onPress: () => {
                setWhole(!isWhole);
              },
            }
          : undefined
      }
      row={(item) => <TransitionRow transition={item} />}
    />
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
        {operationWords(operation)}
        <Badge tone={tone}>{word}</Badge>
        <span className="ms-auto text-meta text-ink-2">
          <Time value={time} />
        </span>
      </p>
      <p className="text-meta text-ink-2 wrap-anywhere">
        <span className="font-mono">{operation}</span>
        {[
          from !== null && to !== null && (from === to ? `stays ${from}` : `${from} to ${to}`),
          by !== null && `by ${by}`,
        ]
          .filter((part) => part !== false)
          .map((part) => ` · ${part}`)
          .join('')}
      </p>
      {(why !== null || warnings.length > 0) && (
        <p className="text-meta text-ink-2 wrap-anywhere">{[why, ...warnings].filter(Boolean).join(' ')}</p>
      )}
    </>
  );
}
