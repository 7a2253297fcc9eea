import { PairsField } from '@gatehouse/ui/pairs-field';
import { TextField } from '@gatehouse/ui/text-field';
import type { MapEditorProps, MapEntryEditorProps } from './record-form.ts';

export interface PairsEditorProps extends MapEditorProps {
  description: string;
  /** Whether values are masked while typed. */
  isSecret?: boolean;
  /** Maximum number of pairs. */
  limit: number;
}

/** Edits keys and values, with the marks of a merge below. */
export function PairsEditor({
  label,
  description,
  isSecret = false,
  limit,
  value,
  onChange,
  onBlur,
  error,
  markOf,
  inConflict,
}: PairsEditorProps) {
  const marks = Object.keys(value).flatMap((key) => {
    const mark = markOf(key);
    return mark === undefined || mark === null ? [] : [{ key, mark }];
  });
  return (
    <div className="flex flex-col gap-3">
      <PairsField
        label={label}
        description={description}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        error={error}
        limit={limit}
        isSecret={isSecret}
      />
      {marks.map(({ key, mark }) => (
        <div key={key} className="flex flex-col gap-1">
          <span className="font-mono text-meta text-ink-1">{key}</span>
          {mark}
        </div>
      ))}
      {inConflict.size > 0 && (
        <p className="text-meta text-ink-2">
          See the decisions above for <span className="font-mono">{[...inConflict].join(', ')}</span>
        </p>
      )}
    </div>
  );
}

/** Edits one value in a conflict's decision. */
export function PairEditor({ label, value, onChange }: MapEntryEditorProps) {
  return <TextField label={`Value of ${label}`} value={value ?? ''} onChange={onChange} autoComplete="off" />;
}
