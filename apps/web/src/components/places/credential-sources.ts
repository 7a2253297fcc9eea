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

/** Whether a source of a target is a library: its id says so. */
function isLibrary(id: string): boolean {
  return id.startsWith('clvlt_');
}

/** Whether a store asks a secrets server: its id says so. */
export function isVaultStore(id: string): boolean {
  return id.startsWith('csvlt_');
}

/** A source of a target: a credential or a library. */
export function credentialSourceHref(environment: string, store: string, id: string): string {
  return isLibrary(id) ? libraryHref(environment, store, id) : credentialHref(environment, store, id);
}

/** The way down to what is in a store. */
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
