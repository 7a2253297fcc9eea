import type { ComparedCluster, ReplicationComparison } from '@gatehouse/api-types/console/replication-status';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { LinkButton } from '@gatehouse/ui/link';
import { PageHeader } from '@gatehouse/ui/page-header';
import { Select } from '@gatehouse/ui/select';
import { createFileRoute } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { replicationHref } from '#components/places/replication.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { wordsOf } from '#lib/error-words.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { reasonAgainstComparing } from '../-actions/possible.ts';
import { useClusters, usePlacesWithSecrets } from '../-clusters/use-clusters.ts';
import { comparePair, type Verdict } from '../-compare/compare-pair.ts';
import { compareSearch } from './compare-search.ts';

export const Route = createFileRoute('/$environment/replication/compare/')({
  validateSearch: compareSearch.parse,
  component: ComparePage,
});

type Found = Verdict & { readonly comparison: ReplicationComparison };

/** Compares two clusters by position and digest, before anyone rebuilds one. */
function ComparePage() {
  usePageTitle('Compare clusters');
  const environment = useEnvironment();
  const places = usePlacesWithSecrets();
  const [search, setSearch] = useSearchState(compareSearch);
  const others = places.filter(({ id }) => id !== environment.id);
  const other = others.find(({ id }) => id === search.with) ?? others[0];
  const { clusters } = useClusters();
  const reason =
    other === undefined ? undefined : reasonAgainstComparing(clusters ?? [], [environment.id, other.id]);
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const nameOf = (id: string): string => places.find((place) => place.id === id)?.name ?? id;
  const compare = (): void => {
    if (other === undefined || reason !== undefined || isPending) return;
    setPending(true);
    setFound(undefined);
    setError(undefined);
    comparePair(environment.id, other.id, nameOf)
      .then(setFound, setError)
      .finally(() => {
        setPending(false);
      });
  };
  useShortcut({ keys: 'x', label: 'Compare the clusters', group: 'Compare clusters', run: compare });
  return (
    <>
      <PageHeader
        icon={GitCompareArrows}
        title="Compare clusters"
        ancestors={[{ id: 'replication', label: 'Replication', href: replicationHref(environment.id) }]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-220 flex-col gap-5 p-4 wide:p-6">
          <p className="text-body text-ink-2">
            Both clusters compute a digest of all replicated data, with a key that only these clusters have.
            Equal digests at the same entry mean equal records, so nothing needs rebuilding.
          </p>
          {other === undefined ? (
            <Banner tone="info" title="Nothing to compare with" announce="none">
              No other environment of this console has a secrets server.
            </Banner>
          ) : (
            <div className="flex flex-wrap items-end gap-3">
              <div className="w-72 max-w-full">
                <Select
                  label={`Compare ${environment.name} with`}
                  value={other.id}
                  options={others.map(({ id, name }) => ({ id, label: name }))}
                  onChange={(id) => {
                    setSearch({ with: id });
                    setFound(undefined);
                  }}
                />
              </div>
              <Button
                variant="primary"
                isPending={isPending}
                disabledReason={reason}
                shortcut="x"
                onPress={compare}
              >
                Compare
              </Button>
            </div>
          )}
          {error !== undefined && (
            <Banner tone="danger" title={wordsOf(error).title}>
              {wordsOf(error).detail} {wordsOf(error).mend}
            </Banner>
          )}
          {found !== undefined && <Result found={found} nameOf={nameOf} here={environment.id} />}
        </div>
      </div>
    </>
  );
}

function Result({
  found: { comparison, isEqual, words },
  nameOf,
  here,
}: {
  found: Found;
  nameOf: (id: string) => string;
  here: string;
}) {
  const { same, clusters } = comparison;
  const primary = clusters.find(({ mode }) => mode === 'primary');
  return (
    <>
      <Banner
        tone={isEqual ? 'ok' : same === false ? 'danger' : 'warn'}
        title={isEqual ? 'Equal' : same === false ? 'Different' : 'Not compared'}
        actions={
          same === false && (
            <LinkButton size={28} href={replicationHref(primary?.environment ?? here)}>
              Open the primary
            </LinkButton>
          )
        }
      >
        {words}
        {same === false &&
          " To fix this, the secondary needs a full copy. It receives one when its paths filter is changed on the primary; change the filter back afterwards. Pointing it at its primary again doesn't help, because it continues after its last entry."}
      </Banner>
      <div className="grid grid-cols-1 gap-4 narrow:grid-cols-2">
        {clusters.map((cluster) => (
          <ComparedCard key={cluster.environment} cluster={cluster} name={nameOf(cluster.environment)} />
        ))}
      </div>
    </>
  );
}

function ComparedCard({ cluster, name }: { cluster: ComparedCluster; name: string }) {
  const { mode, cluster_id: id, seq, digest } = cluster;
  return (
    <DetailCard
      title={name}
      items={[
        { label: 'Mode', value: mode },
        { label: 'Cluster ID', value: id ?? 'None', isMono: true },
        { label: 'At entry', value: seq === null ? 'Unknown' : seq.toLocaleString('en') },
        { label: 'Records', value: digest === null ? 'Unknown' : digest.records.toLocaleString('en') },
        {
          label: 'Digest',
          value: digest === null ? 'Unknown' : digest.digest,
          isMono: true,
          ...(digest !== null && { copyText: digest.digest }),
        },
      ]}
    />
  );
}
