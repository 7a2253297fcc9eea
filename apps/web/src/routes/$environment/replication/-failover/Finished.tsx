import { Banner } from '@gatehouse/ui/banner';
import { LinkButton } from '@gatehouse/ui/link';
import { failoverHref, filterHref, replicationHref } from '#components/places/replication.ts';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { knownAt } from '../-clusters/following.ts';
import { filterWords } from '../-clusters/link-words.ts';
import type { Change } from './change.ts';
import { keptChange } from './kept-change.ts';

/** Shown once every step is done: the result, and what to do next. */
export function Finished({
  change: { from, to, dropped },
  clusters,
}: {
  change: Change;
  clusters: readonly Cluster[];
}) {
  const back = { kind: 'planned', from: to.id, to: from.id } as const;
  // From the change that this one reverses.
  const earlier = keptChange(back)?.dropped;
  const known = knownAt(clusterAt(clusters, to.id), clusterAt(clusters, from.id));
  const isLacking = earlier !== undefined && known?.filter === null;
  return (
    <>
      <Banner
        tone="ok"
        title={`${to.name} is the primary, and all secondaries follow it`}
        actions={
          <>
            <LinkButton size={28} href={replicationHref(to.id)}>
              Show replication
            </LinkButton>
            <LinkButton size={28} href={failoverHref(to.id, back)}>
              Plan the switch back
            </LinkButton>
          </>
        }
      >
        Point write-heavy clients of {from.name} to {to.name}: secondaries forward writes, which takes longer.
        {dropped !== undefined &&
          ` ${to.name} had a paths filter (${filterWords(dropped).toLowerCase()}), which was deleted for this change. Save the filter again after switching back.`}
      </Banner>
      {isLacking && (
        <Banner
          tone="info"
          title={`${from.name} had a paths filter before it was the primary`}
          actions={
            <LinkButton size={28} href={filterHref(to.id, known.id)}>
              Save the filter again
            </LinkButton>
          }
        >
          The filter replicated {earlier.mode === 'deny' ? 'all but' : 'only'} {earlier.paths.join(', ')}.{' '}
          {from.name} now receives everything.
        </Banner>
      )}
    </>
  );
}
