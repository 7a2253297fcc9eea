import type { ReactNode } from 'react';

export interface ToolbarProps {
  /** Accessible name: what the controls act on. */
  label: string;
  /** At the start: search and filters. */
  children: ReactNode;
  /** At the end: view, columns, counts. */
  end?: ReactNode;
}

/** A row of controls of 28 px. Tab moves through it, since the arrow keys belong to its text fields. */
export function Toolbar({ label, children, end }: ToolbarProps) {
  return (
    <div role="group" aria-label={label} className="flex h-7 w-full min-w-0 items-center gap-2">
      {children}
      {end !== undefined && <div className="ms-auto flex shrink-0 items-center gap-2 ps-2">{end}</div>}
    </div>
  );
}
