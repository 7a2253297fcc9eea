/** Builds the CLI command that opens an authorized session. */
import { shellWord } from '#components/form/as-code.ts';

/** The CLI's helpers: each starts the protocol's usual client. `tcp` only opens a local port. */
const ways = {
  tcp: 'TCP port',
  ssh: 'SSH',
  rdp: 'Remote desktop',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  mongo: 'MongoDB',
  redis: 'Redis',
  cassandra: 'Cassandra',
  kube: 'Kubernetes',
  http: 'HTTP',
} as const;

export type WayToConnect = keyof typeof ways;

/** The usual ports of protocols that the CLI has a client for. */
const wayOfPort: Readonly<Record<string, WayToConnect>> = {
  22: 'ssh',
  80: 'http',
  443: 'http',
  3306: 'mysql',
  3389: 'rdp',
  5432: 'postgres',
  6379: 'redis',
  6443: 'kube',
  8080: 'http',
  8443: 'http',
  9042: 'cassandra',
  27017: 'mongo',
};

const withUserName: ReadonlySet<WayToConnect> = new Set([
  'ssh',
  'postgres',
  'mysql',
  'mongo',
  'redis',
  'cassandra',
]);

/** The protocol of a target's type or port; undefined if unknown. */
export function protocolOf(
  type: string,
  port: string,
): { readonly value: WayToConnect; readonly label: string } | undefined {
  const value = type === 'ssh' || type === 'rdp' ? type : wayOfPort[port];
  return value && { value, label: ways[value] };
}

/**
 * The clients that the CLI can start, the one for the target's type and port first.
 * @param endpoint such as `tcp://db.internal:5432`
 */
export function waysToConnect(
  type: string,
  endpoint: string,
): readonly { value: WayToConnect; label: string }[] {
  const first = protocolOf(type, portOf(endpoint))?.value;
  const all: readonly WayToConnect[] = first === undefined ? ['tcp', 'ssh', 'rdp'] : [first, 'tcp'];
  return all.map((value) => ({ value, label: ways[value] }));
}

/**
 * The command to copy.
 * @param token the authorization token, or its mask
 */
export function connectCommand(
  way: WayToConnect,
  { token, userName, endpoint }: { token: string; userName?: string | undefined; endpoint: string },
): string {
  const words = ['boundary', 'connect', ...(way === 'tcp' ? [] : [way]), '-authz-token', shellWord(token)];
  if (userName !== undefined && withUserName.has(way)) words.push('-username', shellWord(userName));
  if (way === 'http') words.push('-scheme', portOf(endpoint).startsWith('80') ? 'http' : 'https');
  if (way === 'kube') words.push('--', 'get', 'pods');
  return words.join(' ');
}

function portOf(endpoint: string): string {
  return /:(\d{1,5})$/.exec(endpoint)?.[1] ?? '';
}
