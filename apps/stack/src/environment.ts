import path from 'node:path';
import { isClusterAddress } from '@gatehouse/secrets-server/replication/running/cluster-listener';
import { accountLimits } from '@gatehouse/service-kit/accounts';
import { inFront, type InFront } from '@gatehouse/service-kit/run-alone';
import { StartError } from '@gatehouse/service-kit/start-error';

/** The variables of `npm start`, checked and with their defaults. */
export interface Environment {
  /** The address that the console listens on; undefined leaves it to the configuration. Services stay on loopback. */
  readonly host: string | undefined;
  /** The console's TCP port, 0 for a free one; undefined leaves it to the configuration. */
  readonly port: number | undefined;
  /** The TCP ports for the services' own clients; 0 takes a free one. */
  readonly accessPort: number;
  readonly secretsPort: number;
  /** The TCP port on which the secrets server, as a primary, listens for its secondaries. */
  readonly secretsClusterPort: number;
  /** The address of that port for secondaries, `host:port`; undefined for loopback only. */
  readonly secretsClusterAddress: string | undefined;
  readonly boxesPort: number;
  readonly modulesPort: number;
  /** The absolute path of the data folder. */
  readonly dataDir: string;
  /** The password of the first account; if undefined, one is generated. */
  readonly adminPassword: string | undefined;
  /** The proxies and consoles in front of the services' ports. */
  readonly inFront: InFront;
  /** The absolute path of the configuration file; undefined for embedded services. */
  readonly configFile: string | undefined;
  /** The text of a key ring, for installations that keep keys out of files. */
  readonly keyRing: string | undefined;
  /** The absolute path of the secrets server's plugin directory; undefined if there is none. */
  readonly pluginDirectory: string | undefined;
  /**
   * Origins in addition to the public ones from which boxes and modules can be moved to embedded registries; the
   * configuration file has its own.
   */
  readonly moveSources: readonly string[];
}

/**
 * Reads the GATEHOUSE_* variables. An empty variable counts as unset.
 * @param variables usually `process.env`
 * @param folder the root for relative paths: the working copy
 * @throws {StartError} naming the variable, its value and the accepted values
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
