import { Breadcrumb, Breadcrumbs as AriaBreadcrumbs, Link } from 'react-aria-components';

export interface Crumb {
  id: string;
  label: string;
  /** Where it leads; the last one is the page itself and leads nowhere. */
  href?: string;
}

export interface BreadcrumbsProps {
  items: readonly Crumb[];
}

/** The way up from here. */
export function Breadcrumbs({ items }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <AriaBreadcrumbs className="flex min-w-0 items-center text-body text-ink-2">
        {items.map((item) => (
          <Breadcrumb key={item.id} id={item.id} className="group flex min-w-0 items-center">
            {({ isCurrent }) => (
              <>
                <Link
                  href={isCurrent ? undefined : item.href}
                  className="truncate rounded-tag data-current:text-ink-1 data-hovered:text-ink-1 data-hovered:underline data-hovered:underline-offset-2"
                >
                  {item.label}
                </Link>
                {!isCurrent && (
                  <span aria-hidden className="px-1.5 text-ink-3">
                    /
                  </span>
                )}
              </>
            )}
          </Breadcrumb>
        ))}
      </AriaBreadcrumbs>
    </nav>
  );
}
