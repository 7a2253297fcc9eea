import { lazy } from '@gatehouse/ui/lazy';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { DirtyGuard } from '#components/form/DirtyGuard.tsx';
import { StepPlace } from '#components/layout/StepPlace.tsx';
import { useSearchState } from '#components/list/use-search-state.ts';
import { replicationHref } from '#components/places/replication.ts';
import { Waiting } from '#components/record/Waiting.tsx';
import { type Draft, emptyDraft } from '../-adding/draft.ts';
import type { Cluster } from '../-clusters/cluster.ts';
import { ClusterPolls } from '../-clusters/ClusterPolls.tsx';
import { useClusters } from '../-clusters/use-clusters.ts';
import { newSecondarySearch } from './new-secondary-search.ts';

export const Route = createFileRoute('/$environment/replication/new-secondary/')({
  validateSearch: newSecondarySearch.parse,
  component: NewSecondaryPage,
});

const ClustersStep = lazy(async () => ({
  default: (await import('../-adding/ClustersStep.tsx')).ClustersStep,
}));
const Progress = lazy(async () => ({ default: (await import('../-adding/Progress.tsx')).Progress }));
const FilterStep = lazy(async () => ({ default: (await import('../-adding/FilterStep.tsx')).FilterStep }));
const WipeStep = lazy(async () => ({ default: (await import('../-adding/WipeStep.tsx')).WipeStep }));

const steps = ['Clusters', 'Filter', 'Deletion', 'Progress'] as const;

/** Adds a secondary across two environments: the clusters, the filter, the wipe, then its progress. */
function NewSecondaryPage() {
  usePageTitle('Add a secondary');
  const environment = useEnvironment();
  const { clusters } = useClusters();
  return (
    <>
      <ClusterPolls seconds={2} />
      <PageHeader
        icon={Plus}
        title="Add a secondary"
        ancestors={[{ id: 'replication', label: 'Replication', href: replicationHref(environment.id) }]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {clusters === undefined ? (
          <Waiting query={undefined} label="Loading the clusters" />
        ) : (
          <Wizard clusters={clusters} />
        )}
      </div>
    </>
  );
}

function Wizard({ clusters }: { clusters: readonly Cluster[] }) {
  const [search, setSearch] = useSearchState(newSecondarySearch);
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const to = (next: number) => (): void => {
    setStep(next);
  };
  const { primary, secondary } = search;
  return (
    <div className="mx-auto flex w-full max-w-220 flex-col gap-6 p-4 wide:p-6">
      <ol aria-label="Steps" className="flex flex-wrap gap-x-6 gap-y-1 border-b border-line pb-2">
        {steps.map((label, index) => (
          <li
            key={label}
            aria-current={index === step ? 'step' : undefined}
            className={index === step ? 'text-body font-semibold text-ink-1' : 'text-body text-ink-3'}
          >
            {index + 1}. {label}
          </li>
        ))}
      </ol>
      <StepPlace label={steps[step] ?? ''} className="">
        <Suspense fallback={<Waiting query={undefined} label="Loading the step" />}>
          {step === 0 || primary === undefined || secondary === undefined ? (
            <ClustersStep
              clusters={clusters}
              search={search}
              draft={draft}
              onSearch={setSearch}
              onDraft={setDraft}
              onContinue={to(1)}
            />
          ) : step === 1 ? (
            <FilterStep
              clusters={clusters}
              primary={primary}
              draft={draft}
              onDraft={setDraft}
              onBack={to(0)}
              onContinue={to(2)}
            />
          ) : step === 2 ? (
            <WipeStep
              clusters={clusters}
              primary={primary}
              secondary={secondary}
              draft={draft}
              onBack={to(1)}
              onAdded={to(3)}
            />
          ) : (
            <Progress clusters={clusters} primary={primary} secondary={secondary} />
          )}
        </Suspense>
      </StepPlace>
      <DirtyGuard wouldLose={() => step === 1 || step === 2} count={step === 1 || step === 2} />
    </div>
  );
}
