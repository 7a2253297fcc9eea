import { Button } from '@gatehouse/ui/button';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { useMemo, useState } from 'react';
import { MembersField } from '#components/form/MembersField.tsx';
import { clusterAt, type Cluster } from '../-clusters/cluster.ts';
import { ConnectClusters } from '../-clusters/ConnectClusters.tsx';
import { filterModes, isFilterMode } from '../-filters/filter-modes.ts';
import { FilterPreview } from '../-filters/FilterPreview.tsx';
import { pathsInput } from '../-filters/paths-input.ts';
import type { Draft } from './draft.ts';

/** What the secondary will receive, chosen before anything is sent. */
export function FilterStep({
  clusters,
  primary,
  draft,
  onDraft,
  onBack,
  onContinue,
}: {
  clusters: readonly Cluster[];
  primary: string;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onBack: () => void;
  onContinue: () => void;
}) {
  const { filter } = draft;
  const input = useMemo(() => pathsInput(primary), [primary]);
  const [wasTried, setTried] = useState(false);
  const leader = clusterAt(clusters, primary);
  if (leader !== undefined && leader.mode !== 'unread' && !leader.isSignedIn)
    return <ConnectClusters clusters={[leader]} />;
  const isFiltered = filter.mode !== 'all';
  const isEmpty = isFiltered && filter.paths.length === 0;
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-6 wide:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(isEmpty);
        if (!isEmpty) onContinue();
      }}
    >
      <div className="flex flex-col gap-6">
        <RadioGroup
          label="What to replicate"
          value={filter.mode}
          onChange={(mode) => {
            if (isFilterMode(mode)) onDraft({ ...draft, filter: { ...filter, mode } });
          }}
          options={filterModes}
        />
        {isFiltered && (
          <MembersField
            label="Mounts and namespaces"
            disabledReason={undefined}
            input={input}
            value={filter.paths}
            stored={[]}
            error={wasTried && isEmpty ? 'Choose at least one path, or replicate everything.' : undefined}
            onBlur={() => undefined}
            inputRef={null}
            onChange={(paths) => {
              onDraft({ ...draft, filter: { ...filter, paths } });
            }}
          />
        )}
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary">
            Continue
          </Button>
          <Button onPress={onBack}>Back</Button>
        </div>
      </div>
      <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
        <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">Preview</h2>
        <FilterPreview environment={primary} fields={filter} />
      </section>
    </form>
  );
}
