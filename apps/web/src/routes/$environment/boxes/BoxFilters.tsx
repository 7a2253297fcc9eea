import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { useState } from 'react';
import { architecturesIn, providerNames } from './box-columns.tsx';
import type { BoxesSearch } from './boxes-search.ts';
import { knownArchitectures, knownProviders } from './known-providers.ts';

type Narrowing = Pick<BoxesSearch, 'provider' | 'architecture'>;

/** Filters boxes by provider, and by architecture if the registry supports it. */
export function BoxFilters({
  search: { provider, architecture },
  boxes,
  knowsArchitectures,
  onChange,
}: {
  search: Narrowing;
  boxes: readonly BoxSummary[];
  knowsArchitectures: boolean;
  onChange: (narrowing: Narrowing) => void;
}) {
  return (
    <>
      <div className="w-44 shrink-0 max-narrow:w-24">
        <NameFilter
          label="Provider"
          anyLabel="Any provider"
          known={[...knownProviders, ...boxes.flatMap(providerNames)]}
          value={provider}
          onChange={(chosen) => {
            onChange({ provider: chosen });
          }}
        />
      </div>
      {(knowsArchitectures || architecture !== undefined) && (
        <div className="w-40 shrink-0 max-narrow:w-24">
          <NameFilter
            label="Architecture"
            anyLabel="Any architecture"
            known={[...knownArchitectures, ...boxes.flatMap(architecturesIn)]}
            value={architecture}
            onChange={(chosen) => {
              onChange({ architecture: chosen });
            }}
          />
        </div>
      )}
    </>
  );
}

/** Filters boxes by one provider or architecture: a known or listed name, or any name you type. */
function NameFilter({
  label,
  anyLabel,
  known,
  value,
  onChange,
}: {
  label: string;
  /** The placeholder when nothing is chosen. */
  anyLabel: string;
  known: readonly string[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [typed, setTyped] = useState('');
  const names = new Set<string>(known);
  if (value !== undefined) names.add(value);
  const wanted = typed.trim().toLowerCase();
  const offered = [...names].filter((name) => wanted === value || name.includes(wanted));
  if (wanted !== '' && !names.has(wanted)) offered.push(wanted);
  return (
    <ComboBox
      label={label}
      isLabelHidden
      size={28}
      placeholder={anyLabel}
      options={offered.map((name) => ({ id: name, label: name }))}
      value={value ?? null}
      onSearch={setTyped}
      onChange={(chosen) => {
        onChange(chosen ?? undefined);
      }}
    />
  );
}
