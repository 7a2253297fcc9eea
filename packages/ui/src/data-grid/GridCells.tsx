import { clsx } from 'clsx';
import { type CSSProperties, type ReactNode } from 'react';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';
import type { LaidOutColumn } from './useGridTable.ts';

/** The attributes by which the grid finds a cell; row −1 is the header. */
export function cellAddress(row: number, column: number): Record<`data-${string}`, number> {
  return { 'data-grid-row': row, 'data-grid-column': column };
}

/** Sticks a pinned cell to its edge. */
export function pinStyle({ pinned, offset }: LaidOutColumn<never>): CSSProperties | undefined {
  if (pinned === false) return undefined;
  return pinned === 'start' ? { insetInlineStart: offset } : { insetInlineEnd: offset };
}

/** A pinned cell has its row's background, because it covers the cells scrolling under it. */
export function pinClass({ pinned, isPinEdge, id }: LaidOutColumn<never>): string {
  return clsx(
    pinned !== false && 'sticky z-1 bg-inherit',
    // A column with only checkboxes needs no line, because the user has pinned nothing.
    isPinEdge &&
      !id.startsWith(':') &&
      (pinned === 'start' ? 'border-e border-e-line' : 'border-s border-s-line'),
  );
}

/** A value as text: `yes` and `no` for booleans, a dash if not set. */
export function CellText({ value }: { value: string | number | boolean | null | undefined }): ReactNode {
  if (value === null || value === undefined || value === '')
    return (
      <span className="text-ink-3">
        <span aria-hidden>–</span>
        <span className="sr-only">not set</span>
      </span>
    );
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' ? value.toLocaleString() : <VisibleEnds text={value} />;
}
