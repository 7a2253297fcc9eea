import type { ClusterListener } from '../role/role.ts';

/** The cluster port unless the environment names another. */
const usualPort = 8201;

/**
 * Where the environment has secondaries reach this server: GATEHOUSE_SECRETS_CLUSTER_PORT is where it listens, on loopback
 * unless GATEHOUSE_SECRETS_CLUSTER_ADDR (`host:port`) names another place at which others reach it.
 * @throws Error that names the variable and what it may be
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

/** Whether a text is `host:port`; IPv6 addresses stand in brackets. */
export function isClusterAddress(text: string): boolean {
  const match = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(?<port>\d{1,5})$/.exec(text);
  const port = Number(match?.groups?.['port']);
  return port > 0 && port <= 65_535;
}
