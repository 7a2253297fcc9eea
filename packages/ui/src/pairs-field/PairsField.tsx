import { Plus, X } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { IconButton } from '../icon-button/IconButton.tsx';
import { PasswordField } from '../password-field/PasswordField.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { keyOfPair, type PairRow, type Pairs, pairsOfRows, rowsOfPairs, samePairs } from './pair-rows.ts';

export interface PairsFieldProps extends Omit<FieldProps, 'size'> {
  /** While a key is there twice the second carries a mark, which `keyOfPair` reads. */
  value: Pairs;
  onChange: (value: Pairs) => void;
  onBlur?: () => void;
  /** Values are secrets: masked while they are written. */
  isSecret?: boolean;
  /** Pairs at most. */
  limit?: number;
  /** Of the first control, for a form to focus. */
  inputRef?: Ref<HTMLInputElement>;
}

/** Keys and their values, a row each, written in place. */
export function PairsField(props: PairsFieldProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onChange, onBlur, isSecret = false, limit = Infinity, inputRef } = control;
  const nextId = useRef(1);
  const [rows, setRows] = useState<readonly PairRow[]>(() => numbered(value));
  const [added, setAdded] = useState<number>();
  const isLocked = field.disabledReason !== undefined;
  const ValueField = isSecret ? PasswordField : TextField;

  function numbered(pairs: Pairs): readonly PairRow[] {
    const made = rowsOfPairs(pairs, nextId.current);
    nextId.current += made.length;
    return made;
  }

  // What came from elsewhere (an undo, a merge) takes the place of the rows; what is written here keeps them.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (!samePairs(pairsOfRows(rows), value)) setRows(numbered(value));
  }

  const write = (next: readonly PairRow[]): void => {
    setRows(next);
    const pairs = pairsOfRows(next);
    setShown(pairs);
    onChange(pairs);
  };
  const add = (): void => {
    const id = nextId.current++;
    setAdded(id);
    setRows([...rows, { id, key: '', value: '' }]);
  };
  const repeated = new Set(
    rows.filter((row, index) => row.key !== '' && rows.findIndex(({ key }) => key === row.key) < index),
  );

  return (
    <Field {...field} isGroup>
      {(wiring) => (
        <div
          role="group"
          aria-labelledby={wiring['aria-labelledby']}
          aria-describedby={wiring['aria-describedby']}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) onBlur?.();
          }}
          className="flex flex-col items-start gap-2"
        >
          {rows.length > 0 && (
            <ul className="flex w-full flex-col gap-2">
              {rows.map((row, index) => {
                const name = row.key === '' ? `pair ${String(index + 1)}` : keyOfPair(row.key).key;
                const put = (change: Partial<PairRow>): void => {
                  write(rows.map((other) => (other.id === row.id ? { ...row, ...change } : other)));
                };
                return (
                  <li key={row.id} className="flex items-start gap-2">
                    <div className="min-w-0 flex-1">
                      <TextField
                        label={`Key ${String(index + 1)}`}
                        isLabelHidden
                        isMono
                        placeholder="Key"
                        value={row.key}
                        onChange={(key) => {
                          put({ key });
                        }}
                        autoFocus={row.id === added}
                        autoComplete="off"
                        spellCheck="false"
                        isReadOnly={isLocked}
                        error={repeated.has(row) ? 'This key is there already.' : undefined}
                        {...(index === 0 && inputRef !== undefined && { inputRef })}
                      />
                    </div>
                    <div className="min-w-0 flex-2">
                      <ValueField
                        label={`Value of ${name}`}
                        isLabelHidden
                        {...(!isSecret && { placeholder: 'Value' })}
                        value={row.value}
                        onChange={(text) => {
                          put({ value: text });
                        }}
                        autoComplete="off"
                        isReadOnly={isLocked}
                      />
                    </div>
                    <IconButton
                      icon={X}
                      size={32}
                      label={`Remove ${name}`}
                      disabledReason={
                        field.disabledReason === undefined ? undefined : 'It cannot be changed now.'
                      }
                      onPress={() => {
                        write(rows.filter(({ id }) => id !== row.id));
                      }}
                    />
                  </li>
                );
              })}
            </ul>
          )}
          {!isLocked && (
            <Button
              size={28}
              icon={Plus}
              disabledReason={
                rows.length >= limit ? `There are at most ${limit.toLocaleString('en')}.` : undefined
              }
              onPress={add}
            >
              Add a key
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
