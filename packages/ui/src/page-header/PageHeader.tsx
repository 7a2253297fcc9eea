import type { ReactNode } from 'react';
import { Breadcrumbs, type Crumb } from '../breadcrumbs/Breadcrumbs.tsx';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface PageHeaderProps {
  title: ReactNode;
  icon?: IconType;
  /** Ancestors alone; the title is the page. */
  ancestors?: readonly Crumb[];
  /** Accessible name of the ancestors, where a page shows more than one header. */
  ancestorsLabel?: string;
  /** Badges after the title. */
  meta?: ReactNode;
  /** Buttons of 28 px, the primary one last. */
  actions?: ReactNode;
  /** A Toolbar: the second row. */
  toolbar?: ReactNode;
}

/** The head of every page: 48 px, and 40 px more with a toolbar, so that 88 px are never passed. */
export function PageHeader({
  title,
  icon,
  ancestors = [],
  ancestorsLabel,
  meta,
  actions,
  toolbar,
}: PageHeaderProps) {
  return (
    <header className="shrink-0 border-b border-line bg-page">
      <div className="flex h-12 min-w-0 items-center gap-2 px-4">
        {icon !== undefined && <Icon icon={icon} className="text-ink-2" />}
        <div className="flex min-w-0 items-center">
          {ancestors.length > 0 && <Breadcrumbs ancestors={ancestors} label={ancestorsLabel} />}
          <h1 className="min-w-0 truncate text-title font-semibold text-ink-1">{title}</h1>
        </div>
        {meta !== undefined && <div className="flex shrink-0 items-center gap-1.5">{meta}</div>}
        {actions !== undefined && (
          <div className="ms-auto flex shrink-0 items-center gap-2 ps-4">{actions}</div>
        )}
      </div>
      {toolbar !== undefined && <div className="flex h-10 items-start px-4 pb-3">{toolbar}</div>}
    </header>
  );
}
