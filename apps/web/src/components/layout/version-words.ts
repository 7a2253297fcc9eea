import type { Connection, ServerProduct } from '@gatehouse/api-types/console/session';

const products: Readonly<Record<ServerProduct, string>> = {
  'built-in': 'Built-in secrets server',
  openbao: 'OpenBao',
  vault: 'Vault',
};

/** The product and version that a service reports: `OpenBao 2.6.2`, `version 0.1.0`. */
export function versionInWords({ product, version }: Pick<Connection, 'product' | 'version'>): string {
  const name = product === null ? 'version' : products[product];
  return version === null ? name : `${name} ${version}`;
}
