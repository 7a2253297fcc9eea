import { isLoopback } from '@gatehouse/service-kit/client-address';
import { ConfigError } from './config-error.ts';
import type { ConsoleConfig } from './config.ts';

/**
 * Refuses to serve the console if others could read its traffic.
 * @throws ConfigError off loopback without TLS or a trusted https proxy
 */
export function checkExposure(console: ConsoleConfig): void {
  if (isLoopback(console.host) || console.tls !== undefined) return;
  if (console.trustedProxies.length > 0 && console.publicUrl?.protocol === 'https:') return;
  throw new ConfigError(
    `console.host is "${console.host}", which isn't a loopback address, so the console needs console.tls, or console.trusted_proxies with an https console.public_url.`,
  );
}
