import type { ServeOptions, Serving } from './types.ts';

/**
 * Opens a primary's cluster port. The caller must begin an epoch first; the store's history must not change while the
 * port is open.
 * @throws Error of Node if the address can't be listened on
 */
export async function servePrimary(options: ServeOptions): Promise<Serving> {
  // Loaded on demand, because loading takes longer than the start of a server without replication.
  const { openClusterPort } = await import('./cluster-port.ts');
  return openClusterPort(options);
}
