import { useRef, useState } from 'react';

/** Converts a field's value to rows and back. */
export interface RowForm<Row, Value> {
  /** Rows for a value from outside, numbered from `firstId`. */
  readonly rowsOf: (value: Value, firstId: number) => readonly Row[];
  /** The value that the rows represent. */
  readonly valueOf: (rows: readonly Row[]) => Value;
  readonly isSame: (a: Value, b: Value) => boolean;
}

/** The rows of a field. Each keeps its ID as long as it exists, whatever is entered in it. */
export function useFieldRows<Row extends { readonly id: number }, Value>(
  { value, onChange }: { readonly value: Value; readonly onChange: (value: Value) => void },
  { rowsOf, valueOf, isSame }: RowForm<Row, Value>,
) {
  const lastId = useRef(0);
  const [rows, setRows] = useState<readonly Row[]>(() => numbered(value));
  const [added, setAdded] = useState<number>();

  function numbered(of: Value): readonly Row[] {
    const made = rowsOf(of, lastId.current + 1);
    lastId.current += made.length;
    return made;
  }

  // A value from outside (an undo, a merge) replaces the rows; the rows' own changes keep them.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (!isSame(valueOf(rows), value)) setRows(numbered(value));
  }

  return {
    rows,
    /** ID of the row that the user added last. */
    added,
    /** Rows for an additional value, not inserted yet. */
    numbered,
    /** Replaces all rows and reports their value. */
    write: (next: readonly Row[]): void => {
      const kept = next.length === 0 ? numbered(valueOf([])) : next;
      setRows(kept);
      const held = valueOf(kept);
      setShown(held);
      onChange(held);
    },
    /** Inserts an empty row, which has no value yet. */
    add: (index: number, empty: (id: number) => Row): void => {
      lastId.current += 1;
      setAdded(lastId.current);
      setRows(rows.toSpliced(index, 0, empty(lastId.current)));
    },
  };
}
