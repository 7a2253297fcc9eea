import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

export interface CardProps {
  /** Without a title the card is just a surface. */
  title?: ReactNode;
  /** At the end of the title row. */
  actions?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** Removes the padding, for a table or a list. */
  isFlush?: boolean;
}

/** A surface for related content. Don't nest cards. */
export function Card({ title, actions, children, footer, isFlush = false }: CardProps) {
  const titleId = useId();
  return (
    <div
      role={title === undefined ? undefined : 'group'}
      aria-labelledby={title === undefined ? undefined : titleId}
      className="flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-surface"
    >
      {title !== undefined && (
        <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
          <h2 id={titleId} className="min-w-0 flex-1 truncate text-body font-semibold text-ink-1">
            {title}
          </h2>
          {actions}
        </div>
      )}
      <div className={clsx('min-w-0 flex-1', !isFlush && 'p-4')}>{children}</div>
      {footer !== undefined && (
        <div className="shrink-0 border-t border-line px-4 py-2 text-meta text-ink-2">{footer}</div>
      )}
    </div>
  );
}
