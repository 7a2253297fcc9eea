import type { ClusterListener } from '../role/role.ts';

/** The default cluster port. */
const usualPort = 8201;

/**
 * Reads the cluster port's settings: GATEHOUSE_SECRETS_CLUSTER_PORT is the port to listen on, and
 * GATEHOUSE_SECRETS_CLUSTER_ADDR (`host:port`) is the address for secondaries. Without an address it listens on
 * loopback, otherwise on all interfaces.
 * @throws Error with the variable's name and valid values
 */
export function clusterListener(variables: Readonly<Record<string, string | undefined>>): ClusterListener {
  const portText = variables['GATEHOUSE_SECRETS_CLUSTER_PORT'] || String(usualPort);
  if (!/^\d{1,5}$/.test(portText) || Number(portText) > 65_535)
    throw new Error(`GATEHOUSE_SECRETS_CLUSTER_PORT is "${portText}"; it must be a port, 0 to 65535.`);
  const port = Number(portText);
  const address = variables['GATEHOUSE_SECRETS_CLUSTER_ADDR'] ?? '';
  if (address === '') return { host: '127.0.0.1', port };
  if (!isClusterAddress(address))
    throw new Error(`GATEHOUSE_SECRETS_CLUSTER_ADDR is "${address}"; it must be a host and a port.`);
  return { host: '0.0.0.0', port, address };
}

/** Whether a text is `host:port`; IPv6 addresses must be in brackets. */
export function isClusterAddress(text: string): boolean {
  const match = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.['port']);
  return port > 0 && port <= 65_535;
}
