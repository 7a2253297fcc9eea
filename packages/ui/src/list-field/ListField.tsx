import type { Ref } from 'react';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { FieldRows } from '../field/FieldRows.tsx';
import { type RowForm, useFieldRows } from '../field/use-field-rows.ts';
import { TextField } from '../text-field/TextField.tsx';

export interface ListFieldProps extends Omit<FieldProps, 'size'> {
  /** The texts that are not empty. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  /** The error of an entry, by its index in the value. */
  errorAt?: (index: number) => string | undefined;
  /** The name of one entry: `role ARN`. */
  noun: string;
  placeholder?: string;
  isMono?: boolean;
  /** The first control's ref, for a form to focus. */
  inputRef?: Ref<HTMLInputElement>;
}

interface Row {
  readonly id: number;
  readonly text: string;
}

const textsAsRows: RowForm<Row, readonly string[]> = {
  /** An empty list has one empty row for input. */
  rowsOf: (texts, firstId) =>
    (texts.length === 0 ? [''] : texts).map((text, index) => ({ id: firstId + index, text })),
  valueOf: (rows) => rows.map(({ text }) => text).filter((text) => text.trim() !== ''),
  isSame: (a, b) => a.join('\n') === b.join('\n'),
};

/** A list of texts, edited in place with a row each; pasted lines become rows. */
export function ListField(props: ListFieldProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onChange, onBlur, errorAt, noun, placeholder, isMono = false, inputRef } = control;
  const { rows, added, numbered, write, add } = useFieldRows(
    {
      value,
      onChange: (texts) => {
        onChange([...texts]);
      },
    },
    textsAsRows,
  );
  const nameOf = (_row: Row, index: number): string => `${field.label} ${String(index + 1)}`;
  const addAfter = (index: number): void => {
    add(index + 1, (id) => ({ id, text: '' }));
  };
  const paste = (index: number, text: string): boolean => {
    const lines = text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length < 2) return false;
    const here = rows[index];
    const before = here === undefined || here.text.trim() === '' ? [] : [here];
    write(rows.toSpliced(index, 1, ...before, ...numbered(lines)));
    return true;
  };
  /** Index of a row in the value. */
  const placeOf = (index: number): number => textsAsRows.valueOf(rows.slice(0, index)).length;

  return (
    <FieldRows
      field={field}
      rows={rows}
      onBlur={onBlur}
      nameOf={nameOf}
      keptBecause={({ text }) => (rows.length === 1 && text === '' ? 'Nothing to remove.' : undefined)}
      onRemove={write}
      addLabel={`Add ${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`}
      onAdd={() => {
        addAfter(rows.length - 1);
      }}
    >
      {(row, index) => (
        <div
          className="min-w-0 flex-1"
          onPaste={(event) => {
            if (paste(index, event.clipboardData.getData('text/plain'))) event.preventDefault();
          }}
        >
          <TextField
            label={nameOf(row, index)}
            isLabelHidden
            isMono={isMono}
            value={row.text}
            onChange={(text) => {
              write(rows.map((other) => (other.id === row.id ? { ...row, text } : other)));
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              if (row.text.trim() !== '') addAfter(index);
            }}
            autoFocus={row.id === added}
            autoComplete="off"
            spellCheck="false"
            isReadOnly={field.disabledReason !== undefined}
            error={row.text.trim() === '' ? undefined : errorAt?.(placeOf(index))}
            {...(placeholder !== undefined && { placeholder })}
            {...(index === 0 && inputRef !== undefined && { inputRef })}
          />
        </div>
      )}
    </FieldRows>
  );
}
