import type { ReactNode } from 'react';
import { Breadcrumbs, type Crumb } from '../breadcrumbs/Breadcrumbs.tsx';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';

export interface PageHeaderProps {
  title: ReactNode;
  icon?: IconType;
  /** Only the ancestors; the title is the page. */
  ancestors?: readonly Crumb[];
  /** Accessible name of the breadcrumbs, if a page has more than one header. */
  ancestorsLabel?: string;
  /** Badges after the title. */
  meta?: ReactNode;
  /** Buttons of 28 px, the primary one last. */
  actions?: ReactNode;
  /** A Toolbar as the second row. */
  toolbar?: ReactNode;
}

/**
 * The header of every page: 48 px, plus 40 px with a toolbar, never more. In a narrow window, the buttons move below a
 * title that leaves no room for them.
 */
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
      <div className="flex h-12 min-w-0 items-center gap-2 px-4 max-narrow:h-auto max-narrow:min-h-12 max-narrow:flex-wrap max-narrow:py-1.5">
        {icon !== undefined && <Icon icon={icon} className="text-ink-2" />}
        <div className="flex min-w-0 items-center max-narrow:max-w-[calc(100%-24px)]">
          {ancestors.length > 0 && <Breadcrumbs ancestors={ancestors} label={ancestorsLabel} />}
          <h1 className="min-w-0 truncate text-title font-semibold text-ink-1">
            {typeof title === 'string' ? <VisibleEnds text={title} /> : title}
          </h1>
        </div>
        {meta !== undefined && <div className="flex shrink-0 items-center gap-1.5">{meta}</div>}
        {actions !== undefined && (
          <div className="ms-auto flex shrink-0 items-center gap-2 ps-4 max-narrow:max-w-full max-narrow:shrink max-narrow:flex-wrap max-narrow:justify-end">
            {actions}
          </div>
        )}
      </div>
      {toolbar !== undefined && <div className="flex h-10 items-start px-4 pb-3">{toolbar}</div>}
    </header>
  );
}
