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

/** The way down to what is in a store. */
export function crumbsOf(environment: string, store: { id: string; name: string } | undefined) {
  return [
    { id: 'credential-sources', label: 'Credential sources', href: storesHref(environment) },
    ...(store === undefined
      ? []
      : [
          {
            id: store.id,
            label: store.name === '' ? store.id : store.name,
            href: storeHref(environment, store.id),
          },
        ]),
  ];
}
