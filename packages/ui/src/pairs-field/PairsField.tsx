import type { Ref } from 'react';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { FieldRows } from '../field/FieldRows.tsx';
import { type RowForm, useFieldRows } from '../field/use-field-rows.ts';
import { PasswordField } from '../password-field/PasswordField.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { keyOfPair, type PairRow, type Pairs, pairsOfRows, rowsOfPairs, samePairs } from './pair-rows.ts';

export interface PairsFieldProps extends Omit<FieldProps, 'size'> {
  /** The pairs. A duplicate key carries a suffix, which `keyOfPair` parses. */
  value: Pairs;
  onChange: (value: Pairs) => void;
  onBlur?: () => void;
  /** Values are secrets and masked during input. */
  isSecret?: boolean;
  /** Most pairs. */
  limit?: number;
  /** The first control's ref, for a form to focus. */
  inputRef?: Ref<HTMLInputElement>;
}

const pairsAsRows: RowForm<PairRow, Pairs> = {
  rowsOf: rowsOfPairs,
  valueOf: pairsOfRows,
  isSame: samePairs,
};

/** Keys and values, edited in place with a row each. */
export function PairsField(props: PairsFieldProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onChange, onBlur, isSecret = false, limit = Infinity, inputRef } = control;
  const { rows, added, write, add } = useFieldRows({ value, onChange }, pairsAsRows);
  const isLocked = field.disabledReason !== undefined;
  const ValueField = isSecret ? PasswordField : TextField;
  const nameOf = ({ key }: PairRow, index: number): string =>
    key === '' ? `pair ${String(index + 1)}` : keyOfPair(key).key;
  const put = (row: PairRow, change: Partial<PairRow>): void => {
    write(rows.map((other) => (other.id === row.id ? { ...row, ...change } : other)));
  };
  const repeated = new Set(
    rows.filter((row, index) => row.key !== '' && rows.findIndex(({ key }) => key === row.key) < index),
  );

  return (
    <FieldRows
      field={field}
      rows={rows}
      onBlur={onBlur}
      nameOf={nameOf}
      onRemove={write}
      addLabel="Add a key"
      fullReason={rows.length >= limit ? `The limit is ${limit.toLocaleString('en')}.` : undefined}
      onAdd={() => {
        add(rows.length, (id) => ({ id, key: '', value: '' }));
      }}
    >
      {(row, index) => (
        <>
          <div className="min-w-0 flex-1">
            <TextField
              label={`Key ${String(index + 1)}`}
              isLabelHidden
              isMono
              placeholder="Key"
              value={row.key}
              onChange={(key) => {
                put(row, { key });
              }}
              autoFocus={row.id === added}
              autoComplete="off"
              spellCheck="false"
              isReadOnly={isLocked}
              error={repeated.has(row) ? 'This key already exists.' : undefined}
              {...(index === 0 && inputRef !== undefined && { inputRef })}
            />
          </div>
          <div className="min-w-0 flex-2">
            <ValueField
              label={`Value of ${nameOf(row, index)}`}
              isLabelHidden
              {...(!isSecret && { placeholder: 'Value' })}
              value={row.value}
              onChange={(text) => {
                put(row, { value: text });
              }}
              autoComplete="off"
              isReadOnly={isLocked}
            />
          </div>
        </>
      )}
    </FieldRows>
  );
}
