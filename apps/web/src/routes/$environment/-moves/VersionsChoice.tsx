import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { NumberField } from '@gatehouse/ui/number-field';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';

type Versions = MoveChoice['versions'];

const mostNewest = 1000;

/** All versions, the newest ones, or those since a version. A typed number counts once it is applied. */
export function VersionsChoice({
  versions,
  many,
  onChange,
}: {
  versions: Versions;
  many: string;
  onChange: (versions: Versions) => void;
}) {
  const [kind, setKind] = useState(versions.kind);
  const [count, setCount] = useState<number | null>(versions.kind === 'newest' ? versions.count : 3);
  const [since, setSince] = useState(versions.kind === 'since' ? versions.version : '');
  const [error, setError] = useState<string>();
  const apply = (): void => {
    if (kind === 'newest') {
      if (count === null || count < 1 || count > mostNewest)
        setError(`Enter a number from 1 to ${mostNewest.toLocaleString('en')}.`);
      else onChange({ kind, count });
    } else if (kind === 'since') {
      if (since.trim() === '') setError('Enter a version number.');
      else onChange({ kind, version: since.trim() });
    }
  };
  const typed: Versions =
    kind === 'newest'
      ? { kind, count: count ?? 0 }
      : kind === 'since'
        ? { kind, version: since.trim() }
        : { kind };
  const applyButton = JSON.stringify(typed) !== JSON.stringify(versions) && (
    <Button type="submit">Apply</Button>
  );
  return (
    <form
      noValidate
      aria-label="Versions"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <RadioGroup
        label="Versions"
        value={kind}
        options={[
          { value: 'all', label: 'All' },
          { value: 'newest', label: 'Newest' },
          { value: 'since', label: 'Since a version' },
        ]}
        onChange={(value) => {
          setError(undefined);
          if (value === 'newest' || value === 'since') setKind(value);
          else {
            setKind('all');
            if (versions.kind !== 'all') onChange({ kind: 'all' });
          }
        }}
      />
      {kind === 'newest' && (
        <div className="flex items-start gap-2">
          <NumberField
            label={`Newest versions of each of the ${many}`}
            isLabelHidden
            value={count}
            min={1}
            max={mostNewest}
            error={error}
            onChange={(value) => {
              setCount(value);
              setError(undefined);
            }}
          />
          {applyButton}
        </div>
      )}
      {kind === 'since' && (
        <div className="flex items-start gap-2">
          <TextField
            label="Oldest version to copy"
            isLabelHidden
            isMono
            placeholder="1.2.0"
            autoComplete="off"
            spellCheck="false"
            value={since}
            error={error}
            onChange={(value) => {
              setSince(value);
              setError(undefined);
            }}
          />
          {applyButton}
        </div>
      )}
    </form>
  );
}
