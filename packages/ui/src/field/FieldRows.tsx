import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button/Button.tsx';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Field } from './Field.tsx';
import type { FieldProps } from './fieldProps.ts';

interface FieldRow {
  readonly id: number;
}

interface FieldRowsProps<Row extends FieldRow> {
  field: FieldProps;
  rows: readonly Row[];
  onBlur: (() => void) | undefined;
  /** The controls of a row. */
  children: (row: Row, index: number) => ReactNode;
  /** Names a row on its remove button. */
  nameOf: (row: Row, index: number) => string;
  /** Why a row can't be removed. */
  keptBecause?: (row: Row) => string | undefined;
  onRemove: (rows: readonly Row[]) => void;
  addLabel: string;
  /** Why no row can be added. */
  fullReason?: string | undefined;
  onAdd: () => void;
}

/** A field with rows: a button beside each removes it, and one below adds another. */
export function FieldRows<Row extends FieldRow>(props: FieldRowsProps<Row>) {
  const { field, rows, onBlur, children, nameOf, keptBecause, onRemove, addLabel, fullReason, onAdd } = props;
  const isLocked = field.disabledReason !== undefined;
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
              {rows.map((row, index) => (
                <li key={row.id} className="flex items-start gap-2">
                  {children(row, index)}
                  <IconButton
                    icon={X}
                    size={32}
                    label={`Remove ${nameOf(row, index)}`}
                    disabledReason={isLocked ? "It can't be changed now." : keptBecause?.(row)}
                    onPress={() => {
                      onRemove(rows.filter(({ id }) => id !== row.id));
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
          {!isLocked && (
            <Button size={28} icon={Plus} disabledReason={fullReason} onPress={onAdd}>
              {addLabel}
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
