import type { ModuleSummary } from '@gatehouse/api-types/console/modules';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Select } from '@gatehouse/ui/select';
import { Switch } from '@gatehouse/ui/switch';
import { useState } from 'react';
import { FilterPanel } from '#components/list/FilterPanel.tsx';
import type { ChangeSearch } from '#components/list/use-search-state.ts';
import type { ModulesSearch } from './modules-search.ts';

/** The most common providers. Registries accept any other name, too. */
const knownProviders = ['aws', 'azurerm', 'google', 'kubernetes', 'helm', 'vsphere', 'openstack'];

const states = [
  { id: 'any', label: 'Any' },
  { id: 'false', label: 'Not deprecated' },
  { id: 'true', label: 'Deprecated' },
];

/** The filters besides the search text: a panel to choose them in, and the chosen ones. */
export function ModuleFilters({
  search,
  modules,
  onChange,
}: {
  search: ModulesSearch;
  modules: readonly ModuleSummary[];
  onChange: ChangeSearch<ModulesSearch>;
}) {
  const { namespace, provider, verified, deprecated } = search;
  const narrow = (next: Partial<ModulesSearch>): void => {
    onChange({ ...next, page: undefined });
  };
  const chosen = [
    namespace !== undefined && { id: 'namespace', words: namespace },
    provider !== undefined && { id: 'provider', words: provider },
    verified === true && { id: 'verified', words: 'Verified' },
    deprecated !== undefined && { id: 'deprecated', words: deprecated ? 'Deprecated' : 'Not deprecated' },
  ].filter((item) => item !== false);
  return (
    <FilterPanel
      chosen={chosen}
      onRemove={(id) => {
        narrow({ [id]: undefined });
      }}
    >
      <NameFilter
        label="Namespace"
        value={namespace}
        known={modules.map((module) => module.namespace)}
        onChange={(next) => {
          narrow({ namespace: next });
        }}
      />
      <NameFilter
        label="Provider"
        value={provider}
        known={[...knownProviders, ...modules.map((module) => module.provider)]}
        onChange={(next) => {
          narrow({ provider: next });
        }}
      />
      <Select
        label="Latest version"
        options={states}
        value={deprecated === undefined ? 'any' : String(deprecated)}
        onChange={(next) => {
          narrow({ deprecated: next === 'any' ? undefined : next === 'true' });
        }}
      />
      <Switch
        isSelected={verified === true}
        onChange={(isOn) => {
          narrow({ verified: isOn ? true : undefined });
        }}
      >
        Verified modules only
      </Switch>
    </FilterPanel>
  );
}

/** Selects a known or listed name; also accepts any other text. */
function NameFilter({
  label,
  value,
  known,
  onChange,
}: {
  label: string;
  value: string | undefined;
  known: readonly string[];
  onChange: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState('');
  const names = new Set(known);
  if (value !== undefined) names.add(value);
  const wanted = typed.trim();
  const offered = [...names].filter((name) => wanted === value || name.includes(wanted.toLowerCase()));
  if (wanted !== '' && !names.has(wanted)) offered.push(wanted);
  return (
    <ComboBox
      label={label}
      placeholder={`Any ${label.toLowerCase()}`}
      options={offered.map((name) => ({ id: name, label: name }))}
      value={value ?? null}
      onSearch={setTyped}
      onChange={(next) => {
        onChange(next ?? undefined);
      }}
    />
  );
}
