/** Addresses of the screens of host sources. */

function catalogsHref(environment: string): string {
  return `/${environment}/host-sources`;
}

export function catalogHref(environment: string, catalog: string): string {
  return `${catalogsHref(environment)}/${encodeURIComponent(catalog)}`;
}

export function hostSetHref(environment: string, catalog: string, id: string): string {
  return `${catalogHref(environment, catalog)}/sets/${encodeURIComponent(id)}`;
}

export function hostHref(environment: string, catalog: string, id: string): string {
  return `${catalogHref(environment, catalog)}/hosts/${encodeURIComponent(id)}`;
}

/** Breadcrumbs for pages of a catalog. */
export function crumbsOf(environment: string, catalog: { id: string; name: string }) {
  return [
    { id: 'host-sources', label: 'Host sources', href: catalogsHref(environment) },
    {
      id: catalog.id,
      label: catalog.name === '' ? catalog.id : catalog.name,
      href: catalogHref(environment, catalog.id),
    },
  ];
}
