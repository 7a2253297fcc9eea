import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { receivedFilterQuery, replicationFilterQuery } from '#queries/replication.ts';
import { clusterAt, type Cluster, type PathsFilter } from '../-clusters/cluster.ts';
import { filterOfRecord } from '../-clusters/clusters-of.ts';
import { changeOf, type Change } from './change.ts';
import { keepChange, keptChange } from './kept-change.ts';
import { idOfOther } from './make-steps.ts';
import { plannedSteps } from './planned.ts';
import { pairKey, type Evidence, type Pair, type Said } from './step.ts';
import { unplannedSteps } from './unplanned.ts';

const none: ReadonlySet<string> = new Set();

/**
 * The change in the address, and its steps with their states. Its participants are kept from its start, because a
 * demoted primary no longer lists its secondaries.
 */
export function useChange(
  clusters: readonly Cluster[],
  {
    kind = 'planned',
    from,
    to,
  }: { readonly kind?: Change['kind']; readonly from?: string; readonly to?: string },
) {
  const [equal, setEqual] = useState(none);
  const [confirmed, setConfirmed] = useState(none);
  const [said, setSaid] = useState<Said>(new Map());
  const change = useBegun(clusters, kind, from, to);
  const evidence = useEvidence(clusters, change, { equal, confirmed });
  const steps =
    change === undefined
      ? []
      : (change.kind === 'planned' ? plannedSteps : unplannedSteps)(change, { clusters, evidence });
  return {
    change,
    steps,
    markEqual: (pair: Pair, isEqual: boolean): void => {
      setEqual((before) => changedSet(before, pairKey(pair), isEqual));
    },
    confirm: (step: string): void => {
      setConfirmed((before) => changedSet(before, step, true));
    },
    said,
    say: (step: string, words: readonly string[]): void => {
      setSaid((before) => new Map([...before, [step, words]]));
    },
  };
}

function changedSet(before: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (isIn) after.add(key);
  else after.delete(key);
  return after;
}

/** Reads the participants from the old primary while it is one; afterwards, uses the stored ones. */
function useBegun(
  clusters: readonly Cluster[],
  kind: Change['kind'],
  from: string | undefined,
  to: string | undefined,
): Change | undefined {
  const now = changeOf(clusters, kind, from, to);
  const isOldThere = clusterAt(clusters, from)?.mode === 'primary';
  const kept = useMemo(
    () => (from === undefined || to === undefined ? undefined : keptChange({ kind, from, to })),
    [kind, from, to],
  );
  const [begun, setBegun] = useState<Change>();
  const isSame = begun?.kind === kind && begun.from.id === from && begun.to.id === to;
  if (now === undefined) return undefined;
  // While the old primary is the primary, its current report about the others counts.
  if (isOldThere && clusterAt(clusters, to)?.mode !== 'primary') {
    const dropped = now.dropped ?? (isSame ? begun : kept)?.dropped;
    const next = { ...now, ...(dropped && { dropped }) };
    if (!isSame || JSON.stringify(begun) !== JSON.stringify(next)) {
      keepChange(next);
      setBegun(next);
    }
    return next;
  }
  return (isSame ? begun : undefined) ?? kept ?? now;
}

function useEvidence(
  clusters: readonly Cluster[],
  change: Change | undefined,
  known: Pick<Evidence, 'equal' | 'confirmed'>,
): Evidence {
  const isPromoted = clusterAt(clusters, change?.to.id)?.mode === 'primary';
  const others = change?.others ?? [];
  const ids = change === undefined ? [] : others.map((other) => idOfOther(clusters, change.to, other));
  const filters = useQueries({
    queries: ids.map((id) => ({
      ...replicationFilterQuery(change?.to.id ?? '', id),
      enabled: isPromoted,
    })),
  });
  const untold =
    change === undefined || change.kind === 'planned'
      ? []
      : [change.to, ...others.flatMap(({ place, filter }) => (place && filter === undefined ? [place] : []))];
  const received = useQueries({ queries: untold.map(({ id }) => receivedFilterQuery(id)) });
  return {
    ...known,
    filterAt: (environment, secondaryId) => {
      if (environment !== change?.to.id) return undefined;
      const found = filters[ids.indexOf(secondaryId)]?.data;
      return found && { revision: found.revision, filter: filterOfRecord(found) };
    },
    receivedAt: (environment) => {
      const told = received[untold.findIndex(({ id }) => id === environment)]?.data;
      return told && filterOfReceived(told);
    },
  };
}

/** The filter implied by what a secondary says it doesn't receive. */
function filterOfReceived({
  mounts,
  namespaces,
}: {
  readonly mounts: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
}): PathsFilter | null | undefined {
  if (mounts === null && namespaces === null) return undefined;
  const paths = [...(mounts ?? []), ...(namespaces ?? [])].map((path) => path.replace(/\/$/, ''));
  return paths.length === 0 ? null : { mode: 'deny', paths };
}
