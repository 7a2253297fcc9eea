import { join } from 'node:path';
import { openAccounts, type AccountStore } from './accounts.ts';
import { addressList } from './client-address.ts';
import { takeDataFolder } from './data-folder.ts';
import { createLog, type Log } from './log.ts';
import { signInRate } from './rate-limit.ts';
import { keyRingFromEnvironment, type KeyRing } from './secret-box.ts';
import { listen, type Listening, type ListenTarget, type Service } from './service.ts';

/** How long requests in progress may take after SIGTERM, in milliseconds. */
const drainDeadline = 10_000;

/** What a standalone service is opened with. */
export interface Surroundings {
  readonly dataDir: string;
  readonly accounts: AccountStore;
  readonly log: Log;
  /** Only given if the environment has a key ring. */
  readonly keys?: KeyRing;
  /** The service's address; empty until it listens. */
  readonly address: () => string;
}

/** A service that can run without the console. */
export interface RunAloneOptions {
  readonly name: Service['name'];
  /** Subject of the error when the service can't start: "The secrets server". */
  readonly title: string;
  /** Environment variable for the port. */
  readonly portVariable: string;
  readonly defaultPort: number;
  readonly open: (surroundings: Surroundings) => Promise<Service>;
}

/**
 * Runs one service on loopback until SIGTERM or SIGINT. If it can't start, prints the reason in one line and sets exit
 * code 1. Variables: GATEHOUSE_DATA (default ./data), `portVariable` (0 for a free port), GATEHOUSE_ADMIN_PASSWORD
 * (required at the first start), GATEHOUSE_KEYS (a key ring instead of a file in the data folder), and those of
 * `inFront`.
 */
export async function runAlone(options: RunAloneOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${options.title} cannot start: ${why}\n`);
    process.exitCode = 1;
  }
}

async function start({ name, portVariable, defaultPort, open }: RunAloneOptions): Promise<void> {
  const dataDir = process.env['GATEHOUSE_DATA'] ?? './data';
  const password = process.env['GATEHOUSE_ADMIN_PASSWORD'];
  const keyRing = process.env['GATEHOUSE_KEYS'];
  const port = portOf(portVariable, process.env[portVariable] ?? String(defaultPort));
  const front = inFront(process.env);

  const log = createLog({ service: name });
  await using opened = new AsyncDisposableStack();
  // First, because opening a service deletes what interrupted uploads left behind.
  const folder = takeDataFolder(dataDir);
  opened.defer(() => folder.release());
  const accounts = openAccounts({ file: join(dataDir, 'accounts.db'), guesses: signInRate });
  opened.defer(() => accounts.close());
  if (password !== undefined) await accounts.ensureFirstAdministrator({ password });
  else if (accounts.list().length === 0) {
    throw new Error("there is no account yet. Set GATEHOUSE_ADMIN_PASSWORD to the first one's password.");
  }
  let listening: Listening | undefined;
  const service = await open({
    dataDir,
    accounts,
    log,
    address: () => listening?.address ?? '',
    ...(keyRing !== undefined && { keys: keyRingFromEnvironment('GATEHOUSE_KEYS', keyRing) }),
  });
  opened.defer(() => service.close());
  listening = await listen(service, { host: '127.0.0.1', port, ...front });
  log.info('listening', { address: listening.address, port: listening.port });

  const server = listening;
  const running = opened.move();
  const stop = async (signal: string): Promise<void> => {
    log.info('stopping', { signal });
    await server.drain(drainDeadline);
    await running.disposeAsync();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
}

/** Settings for proxies and consoles in front of services' ports. */
export type InFront = Pick<Extract<ListenTarget, { readonly port: number }>, 'names' | 'forwardedFrom'>;

const addresses = 'GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS';

/**
 * Reads GATEHOUSE_SERVICE_NAMES (host names by which proxies call services, in addition to the public address's) and
 * GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS (addresses and networks whose X-Forwarded-For is trusted), both separated
 * by commas.
 * @throws Error with a one-line message for an invalid address
 */
export function inFront(variables: Readonly<Record<string, string | undefined>>): InFront {
  const listOf = (variable: string): string[] =>
    (variables[variable] ?? '').split(',').flatMap((entry) => entry.trim() || []);
  const publicUrl = URL.parse(variables['GATEHOUSE_BOXES_PUBLIC_URL'] ?? '');
  const forwardedFrom = listOf(addresses);
  try {
    addressList(forwardedFrom);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${addresses}: ${why}. Give addresses such as 10.1.2.3 or 10.0.0.0/8.`, { cause: error });
  }
  return {
    names: [...listOf('GATEHOUSE_SERVICE_NAMES'), ...(publicUrl ? [publicUrl.hostname] : [])],
    forwardedFrom,
  };
}

function portOf(variable: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`${variable} is ${JSON.stringify(text)}; it must be a port, 0 to 65535.`);
}
