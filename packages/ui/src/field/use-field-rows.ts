import { useRef, useState } from 'react';

/** How the value of a field is written in rows. */
export interface RowForm<Row, Value> {
  /** Rows for a value that came from elsewhere, numbered from `firstId`. */
  readonly rowsOf: (value: Value, firstId: number) => readonly Row[];
  /** What rows hold. */
  readonly valueOf: (rows: readonly Row[]) => Value;
  readonly isSame: (a: Value, b: Value) => boolean;
}

/** The rows of a field, each with an id of its own for as long as it is there, whatever is written in it. */
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

  // What came from elsewhere (an undo, a merge) takes the place of the rows; what is written here keeps them.
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    if (!isSame(valueOf(rows), value)) setRows(numbered(value));
  }

  return {
    rows,
    /** Id of the row that a person added last. */
    added,
    /** Rows for more of the value, which are nowhere yet. */
    numbered,
    /** Puts rows in place of all, and tells what they hold. */
    write: (next: readonly Row[]): void => {
      const kept = next.length === 0 ? numbered(valueOf([])) : next;
      setRows(kept);
      const held = valueOf(kept);
      setShown(held);
      onChange(held);
    },
    /** Puts an empty row at a place, to be written in; it holds nothing yet. */
    add: (index: number, empty: (id: number) => Row): void => {
      lastId.current += 1;
      setAdded(lastId.current);
      setRows(rows.toSpliced(index, 0, empty(lastId.current)));
    },
  };
}
