import type { ServeOptions, Serving } from './types.ts';

/**
 * Opens a primary's cluster port. The history of the store stays as it is meanwhile: an epoch begins before.
 * @throws Error of Node when the address cannot be listened on
 */
export async function servePrimary(options: ServeOptions): Promise<Serving> {
  // Takes longer to load than a server without replication takes to start.
  const { openClusterPort } = await import('./cluster-port.ts');
  return openClusterPort(options);
}
