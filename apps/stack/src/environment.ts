import path from 'node:path';
import { isClusterAddress } from '@gatehouse/secrets-server/replication/running/cluster-listener';
import { accountLimits } from '@gatehouse/service-kit/accounts';
import { inFront, type InFront } from '@gatehouse/service-kit/run-alone';
import { StartError } from './start-error.ts';

/** What the variables of `npm start` say, checked and with their defaults. */
export interface Environment {
  /** Address that the console listens on; undefined leaves it to the configuration. Services stay on loopback. */
  readonly host: string | undefined;
  /** TCP port of the console, 0 for a free one; undefined leaves it to the configuration. */
  readonly port: number | undefined;
  /** TCP ports of the services' own clients; 0 takes a free one. */
  readonly accessPort: number;
  readonly secretsPort: number;
  /** TCP port on which the secrets server listens for its secondaries while it is a primary. */
  readonly secretsClusterPort: number;
  /** Where secondaries reach that port, `host:port`; undefined for loopback alone. */
  readonly secretsClusterAddress: string | undefined;
  readonly boxesPort: number;
  readonly modulesPort: number;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Password of the first account; undefined has one generated. */
  readonly adminPassword: string | undefined;
  /** The proxies and consoles in front of the services' ports. */
  readonly inFront: InFront;
  /** Absolute path of the configuration file; undefined means the embedded services. */
  readonly configFile: string | undefined;
  /** Text of a key ring, for installations that keep keys out of files. */
  readonly keyRing: string | undefined;
  /** Absolute path of the folder of the secrets server's plugins; undefined when there is none. */
  readonly pluginDirectory: string | undefined;
  /** Origins that embedded registries may be filled from beside public ones; the configuration file has its own. */
  readonly moveSources: readonly string[];
}

/**
 * Reads the GATEHOUSE_* variables. A variable that is set to nothing counts as not set.
 *
 * @param variables usually `process.env`
 * @param folder where relative paths start: the working copy's root
 * @throws {StartError} naming the variable, its value and what it may be
 */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  folder: string,
): Environment {
  const value = (name: string): string | undefined => {
    const text = variables[name];
    return text === undefined || text === '' ? undefined : text;
  };
  const port = (name: string): number | undefined => {
    const text = value(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
      throw new StartError(`${name} is "${text}". Use a port from 0 (any free one) to 65535.`);
    }
    return Number(text);
  };
  const host = value('GATEHOUSE_HOST');
  if (host !== undefined && !/^[A-Za-z0-9._:-]+$/.test(host)) {
    throw new StartError(`GATEHOUSE_HOST is "${host}". Use the address or name of one network interface.`);
  }
  const adminPassword = value('GATEHOUSE_ADMIN_PASSWORD');
  const { minPassword, maxPassword } = accountLimits;
  if (
    adminPassword !== undefined &&
    (adminPassword.length < minPassword || adminPassword.length > maxPassword)
  ) {
    throw new StartError(`GATEHOUSE_ADMIN_PASSWORD must have ${minPassword} to ${maxPassword} characters.`);
  }
  const configFile = value('GATEHOUSE_CONFIG');
  const pluginDirectory = value('GATEHOUSE_SECRETS_PLUGIN_DIR');
  const ports = {
    GATEHOUSE_PORT: port('GATEHOUSE_PORT'),
    GATEHOUSE_ACCESS_PORT: port('GATEHOUSE_ACCESS_PORT') ?? 9200,
    GATEHOUSE_SECRETS_PORT: port('GATEHOUSE_SECRETS_PORT') ?? 8200,
    GATEHOUSE_BOXES_PORT: port('GATEHOUSE_BOXES_PORT') ?? 8300,
    GATEHOUSE_MODULES_PORT: port('GATEHOUSE_MODULES_PORT') ?? 8400,
  };
  refuseSharedPorts(ports);
  const secretsClusterAddress = value('GATEHOUSE_SECRETS_CLUSTER_ADDR');
  if (secretsClusterAddress !== undefined && !isClusterAddress(secretsClusterAddress)) {
    throw new StartError(
      `GATEHOUSE_SECRETS_CLUSTER_ADDR is "${secretsClusterAddress}". Use a host and a port, such as vault.example:8201.`,
    );
  }
  return {
    host,
    port: ports.GATEHOUSE_PORT,
    accessPort: ports.GATEHOUSE_ACCESS_PORT,
    secretsPort: ports.GATEHOUSE_SECRETS_PORT,
    secretsClusterPort: port('GATEHOUSE_SECRETS_CLUSTER_PORT') ?? 8201,
    secretsClusterAddress,
    boxesPort: ports.GATEHOUSE_BOXES_PORT,
    modulesPort: ports.GATEHOUSE_MODULES_PORT,
    dataDir: path.resolve(folder, value('GATEHOUSE_DATA') ?? 'data'),
    adminPassword,
    inFront: inFrontOf(variables),
    configFile: configFile === undefined ? undefined : path.resolve(folder, configFile),
    keyRing: value('GATEHOUSE_KEYS'),
    pluginDirectory: pluginDirectory === undefined ? undefined : path.resolve(folder, pluginDirectory),
    moveSources: originsOf('GATEHOUSE_MOVE_SOURCES', value('GATEHOUSE_MOVE_SOURCES') ?? ''),
  };
}

function inFrontOf(variables: Readonly<Record<string, string | undefined>>): InFront {
  try {
    return inFront(variables);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}

function originsOf(name: string, list: string): readonly string[] {
  const texts = list.split(/[\s,]+/).filter((text) => text !== '');
  return texts.map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
      return url.origin;
    throw new StartError(
      `${name} has an entry that isn't an origin. Use comma-separated addresses such as https://boxes.internal.example.`,
    );
  });
}

function refuseSharedPorts(ports: Readonly<Record<string, number | undefined>>): void {
  const taken = new Map<number, string>();
  for (const [name, number] of Object.entries(ports)) {
    if (number === undefined || number === 0) continue;
    const other = taken.get(number);
    if (other !== undefined) {
      throw new StartError(`${other} and ${name} are both ${number}. Each needs its own.`);
    }
    taken.set(number, name);
  }
}
