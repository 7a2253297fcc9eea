import type { Connection, ConnectionState, ServerProduct } from '@gatehouse/api-types/console/session';
import type { StatusDotProps } from '@gatehouse/ui/badge';

/** How the state of a connection is said and shown, everywhere the same. */
export const connectionWords: Readonly<
  Record<ConnectionState, { readonly word: string; readonly tone: StatusDotProps['tone'] }>
> = {
  connected: { word: 'Connected', tone: 'ok' },
  'not-connected': { word: 'Not connected', tone: 'neutral' },
  expired: { word: 'Token ended', tone: 'warn' },
  unreachable: { word: 'Unreachable', tone: 'danger' },
  sealed: { word: 'Sealed', tone: 'danger' },
  standby: { word: 'Standby', tone: 'warn' },
};

const products: Readonly<Record<ServerProduct, string>> = {
  'built-in': 'Built-in secrets server',
  openbao: 'OpenBao',
  vault: 'Vault',
};

/** What a service says that it is: `OpenBao 2.6.2`, `version 0.1.0`. */
export function versionInWords({ product, version }: Pick<Connection, 'product' | 'version'>): string {
  const name = product === null ? 'version' : products[product];
  return version === null ? name : `${name} ${version}`;
}
