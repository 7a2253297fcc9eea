/** Addresses of the screens of credential sources. */

export function storesHref(environment: string): string {
  return `/${environment}/credential-sources`;
}

export function storeHref(environment: string, store: string): string {
  return `${storesHref(environment)}/${encodeURIComponent(store)}`;
}

export function credentialHref(environment: string, store: string, id: string): string {
  return `${storeHref(environment, store)}/credentials/${encodeURIComponent(id)}`;
}

export function libraryHref(environment: string, store: string, id: string): string {
  return `${storeHref(environment, store)}/libraries/${encodeURIComponent(id)}`;
}

/** Whether a target's source is a library, according to its ID. */
function isLibrary(id: string): boolean {
  return id.startsWith('clvlt_');
}

/** Whether a store is of type vault, according to its ID. */
export function isVaultStore(id: string): boolean {
  return id.startsWith('csvlt_');
}

/** The page of a target's source: a credential or a library. */
export function credentialSourceHref(environment: string, store: string, id: string): string {
  return isLibrary(id) ? libraryHref(environment, store, id) : credentialHref(environment, store, id);
}

/** Breadcrumbs for pages of a store. */
export function crumbsOf(environment: string, store: { id: string; name: string }) {
  return [
    { id: 'credential-sources', label: 'Credential sources', href: storesHref(environment) },
    {
      id: store.id,
      label: store.name === '' ? store.id : store.name,
      href: storeHref(environment, store.id),
    },
  ];
}
