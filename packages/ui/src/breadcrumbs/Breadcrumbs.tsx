import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';

export interface Crumb {
  id: string;
  label: string;
  /** Navigates through react-aria's RouterProvider. */
  href: string;
}

export interface BreadcrumbsProps {
  /** Ancestors from the top down, without the current page. */
  ancestors: readonly Crumb[];
  /** Accessible name, if a page has more than one. */
  label?: string;
  /** The current page, if no heading beside the breadcrumbs names it. */
  current?: ReactNode;
}

/** Links to the page's ancestors. */
export function Breadcrumbs({ ancestors, current, label = 'Breadcrumbs' }: BreadcrumbsProps) {
  return (
    // In a narrow window, the ancestors are cut before the page's own name.
    <nav aria-label={label} className="min-w-0 max-narrow:shrink-[9999] max-narrow:overflow-x-clip">
      <ol className="flex min-w-0 items-center text-body text-ink-2">
        {ancestors.map((crumb) => (
          <li key={crumb.id} className="flex min-w-0 items-center">
            <Link
              href={crumb.href}
              className="truncate rounded-tag underline-offset-2 data-hovered:text-ink-1 data-hovered:underline"
            >
              <VisibleEnds text={crumb.label} />
            </Link>
            <span aria-hidden className="px-1.5 text-ink-3">
              /
            </span>
          </li>
        ))}
        {current !== undefined && (
          <li aria-current="page" className="truncate text-ink-1">
            {current}
          </li>
        )}
      </ol>
    </nav>
  );
}
