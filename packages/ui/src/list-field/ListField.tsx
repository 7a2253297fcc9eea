import { Plus, X } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { Button } from '../button/Button.tsx';
import { Field } from '../field/Field.tsx';
import { type FieldProps, splitFieldProps } from '../field/fieldProps.ts';
import { IconButton } from '../icon-button/IconButton.tsx';
import { TextField } from '../text-field/TextField.tsx';

export interface ListFieldProps extends Omit<FieldProps, 'size'> {
  /** Texts without those that are empty. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  onBlur?: () => void;
  /** What is wrong with an entry, by its place in the value. */
  errorAt?: (index: number) => string | undefined;
  /** One entry: `role ARN`. */
  noun: string;
  placeholder?: string;
  isMono?: boolean;
  /** Of the first control, for a form to focus. */
  inputRef?: Ref<HTMLInputElement>;
}

interface Row {
  /** Of this row for as long as it is there, whatever is written in it. */
  readonly id: number;
  readonly text: string;
}

const textsOf = (rows: readonly Row[]): string[] =>
  rows.map(({ text }) => text).filter((text) => text.trim() !== '');

/** Texts, a row each, written in place; several lines that are pasted become as many rows. */
export function ListField(props: ListFieldProps) {
  const { field, control } = splitFieldProps(props);
  const { value, onChange, onBlur, errorAt, noun, placeholder, isMono = false, inputRef } = control;
  const nextId = useRef(0);
  const [rows, setRows] = useState<readonly Row[]>(() => rowsFor(value));
  const [added, setAdded] = useState<number>();
  const isLocked = field.disabledReason !== undefined;

  function made(text: string): Row {
    nextId.current += 1;
    return { id: nextId.current, text };
  }

  /** A row is there to write in, also where there is nothing. */
  function rowsFor(texts: readonly string[]): readonly Row[] {
    return (texts.length === 0 ? [''] : texts).map(made);
  }

  // What came from elsewhere (an undo, a merge) takes the place of the rows; what is written here keeps them.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (textsOf(rows).join('\n') !== value.join('\n')) setRows(rowsFor(value));
  }

  const write = (next: readonly Row[]): void => {
    const kept = next.length === 0 ? rowsFor([]) : next;
    setRows(kept);
    const texts = textsOf(kept);
    setShown(texts);
    onChange(texts);
  };
  const addAfter = (index: number): void => {
    const row = made('');
    setAdded(row.id);
    setRows(rows.toSpliced(index + 1, 0, row));
  };
  const paste = (index: number, text: string): boolean => {
    const lines = text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
    if (lines.length < 2) return false;
    const here = rows[index];
    const before = here === undefined || here.text.trim() === '' ? [] : [here];
    write(rows.toSpliced(index, 1, ...before, ...lines.map(made)));
    return true;
  };

  let place = -1;
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
          <ul className="flex w-full flex-col gap-2">
            {rows.map((row, index) => {
              if (row.text.trim() !== '') place += 1;
              const label = `${field.label} ${String(index + 1)}`;
              return (
                <li key={row.id} className="flex items-start gap-2">
                  <div
                    className="min-w-0 flex-1"
                    onPaste={(event) => {
                      if (paste(index, event.clipboardData.getData('text/plain'))) event.preventDefault();
                    }}
                  >
                    <TextField
                      label={label}
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
                      isReadOnly={isLocked}
                      error={row.text.trim() === '' ? undefined : errorAt?.(place)}
                      {...(placeholder !== undefined && { placeholder })}
                      {...(index === 0 && inputRef !== undefined && { inputRef })}
                    />
                  </div>
                  <IconButton
                    icon={X}
                    size={32}
                    label={`Remove ${label}`}
                    disabledReason={
                      isLocked
                        ? 'It cannot be changed now.'
                        : rows.length === 1 && row.text === ''
                          ? 'There is nothing to remove.'
                          : undefined
                    }
                    onPress={() => {
                      write(rows.filter(({ id }) => id !== row.id));
                    }}
                  />
                </li>
              );
            })}
          </ul>
          {!isLocked && (
            <Button
              size={28}
              icon={Plus}
              onPress={() => {
                addAfter(rows.length - 1);
              }}
            >
              Add {/^[aeiou]/i.test(noun) ? 'an' : 'a'} {noun}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
