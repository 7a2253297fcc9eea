/** The cell with focus; row −1 is the header. */
export interface GridPosition {
  row: number;
  column: number;
}

export interface GridExtent {
  rows: number;
  columns: number;
  /** Number of visible rows, the step of PageUp and PageDown. */
  page: number;
}

export interface GridKey {
  key: string;
  isMod: boolean;
  isShift: boolean;
  isAlt: boolean;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/**
 * The position that a key moves focus to; `undefined` if it doesn't move. Arrow keys stop at the edges. Home and End
 * move along the row, and with Ctrl or ⌘ to the first and last row.
 */
export function moveByKey(
  { row, column }: GridPosition,
  { key, isMod, isShift, isAlt }: GridKey,
  { rows, columns, page }: GridExtent,
  hasLetterKeys: boolean,
): GridPosition | undefined {
  if (isAlt || isShift) return undefined;
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  if (isMod) {
    if (key === 'Home') return { row: rows === 0 ? -1 : 0, column: 0 };
    if (key === 'End') return { row: lastRow, column: lastColumn };
    return undefined;
  }
  switch (key) {
    case 'ArrowDown':
      return { row: clamp(row + 1, -1, lastRow), column };
    case 'ArrowUp':
      return { row: clamp(row - 1, -1, lastRow), column };
    case 'j':
      return hasLetterKeys ? { row: clamp(row + 1, -1, lastRow), column } : undefined;
    case 'k':
      return hasLetterKeys ? { row: clamp(row - 1, Math.min(0, lastRow), lastRow), column } : undefined;
    case 'ArrowRight':
      return { row, column: clamp(column + 1, 0, lastColumn) };
    case 'ArrowLeft':
      return { row, column: clamp(column - 1, 0, lastColumn) };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: lastColumn };
    case 'PageDown':
      return { row: clamp(row + page, Math.min(0, lastRow), lastRow), column };
    case 'PageUp':
      return { row: clamp(row - page, Math.min(0, lastRow), lastRow), column };
    default:
      return undefined;
  }
}
