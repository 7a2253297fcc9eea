import { pluginTypes } from '@gatehouse/api-types/console/plugin-values';
import type { Plugin } from '@gatehouse/api-types/console/plugins';
import { Select } from '@gatehouse/ui/select';
import { FilterPanel } from '#components/list/FilterPanel.tsx';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import { sourceWords, stateWords, typeWords, type PluginSource } from '#components/plugins/plugin-words.ts';
import type { PluginsSearch } from './plugins-search.ts';

const any = 'any';
const sources: readonly PluginSource[] = ['builtin', 'registered', 'configuration', 'image'];
const states: readonly Plugin['state'][] = ['runs', 'mismatch', 'missing', 'unsupported', 'unknown'];

/** Filters the list: a panel to choose from, and the chosen filters. */
export function PluginFilters({
  search: { type, source, state },
  onChange,
}: {
  search: PluginsSearch;
  onChange: ChangeSearch<PluginsSearch>;
}) {
  const chosen = [
    type !== undefined && { id: 'type', words: typeWords[type] },
    source !== undefined && { id: 'source', words: sourceWords[source] },
    state !== undefined && { id: 'state', words: stateWords[state].word },
  ].filter((item) => item !== false);
  return (
    <FilterPanel
      chosen={chosen}
      onRemove={(id) => {
        onChange({ [id]: undefined });
      }}
    >
      <Select
        label="Type"
        options={[{ id: any, label: 'Any' }, ...pluginTypes.map((id) => ({ id, label: typeWords[id] }))]}
        value={type ?? any}
        onChange={(next) => {
          onChange({ type: pluginTypes.find((known) => known === next) });
        }}
      />
      <Select
        label="Source"
        options={[{ id: any, label: 'Any' }, ...sources.map((id) => ({ id, label: sourceWords[id] }))]}
        value={source ?? any}
        onChange={(next) => {
          onChange({ source: sources.find((known) => known === next) });
        }}
      />
      <Select
        label="State"
        description="Finds only plugins whose state has been checked."
        options={[{ id: any, label: 'Any' }, ...states.map((id) => ({ id, label: stateWords[id].word }))]}
        value={state ?? any}
        onChange={(next) => {
          onChange({ state: states.find((known) => known === next) });
        }}
      />
    </FilterPanel>
  );
}
