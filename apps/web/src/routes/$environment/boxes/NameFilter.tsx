import { ComboBox } from '@gatehouse/ui/combo-box';
import { useState } from 'react';

/** Boxes of one provider, or of one architecture, alone: of those that are known or listed, or of any name that is typed. */
export function NameFilter({
  label,
  anyLabel,
  known,
  value,
  onChange,
}: {
  label: string;
  /** What is shown where none is chosen. */
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
