import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { useState } from 'react';
import { providerNames } from './box-columns.tsx';
import { knownProviders } from './known-providers.ts';

/** Boxes of one provider alone: of those that are known or listed, or of any name that is typed. */
export function ProviderFilter({
  provider,
  boxes,
  onChange,
}: {
  provider: string | undefined;
  boxes: readonly BoxSummary[];
  onChange: (provider: string | undefined) => void;
}) {
  const [typed, setTyped] = useState('');
  const names = new Set<string>([...knownProviders, ...boxes.flatMap(providerNames)]);
  if (provider !== undefined) names.add(provider);
  const wanted = typed.trim().toLowerCase();
  const offered = [...names].filter((name) => wanted === provider || name.includes(wanted));
  if (wanted !== '' && !names.has(wanted)) offered.push(wanted);
  return (
    <ComboBox
      label="Provider"
      isLabelHidden
      size={28}
      placeholder="Any provider"
      options={offered.map((name) => ({ id: name, label: name }))}
      value={provider ?? null}
      onSearch={setTyped}
      onChange={(chosen) => {
        onChange(chosen ?? undefined);
      }}
    />
  );
}
