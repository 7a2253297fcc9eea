import path from 'node:path';
import { StartError } from './start-error.ts';

/** What the variables of `npm start` say, checked and with their defaults. */
export interface Environment {
  /** Address that the console listens on; services stay on loopback. */
  readonly host: string;
  /** TCP ports; 0 takes a free one. */
  readonly port: number;
  readonly accessPort: number;
  readonly secretsPort: number;
  readonly boxesPort: number;
  readonly modulesPort: number;
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Password of the first account; undefined has one generated. */
  readonly adminPassword: string | undefined;
  /** Absolute path of the configuration file; undefined means the embedded services. */
  readonly configFile: string | undefined;
}

const ports = {
  port: ['GATEHOUSE_PORT', 8080],
  accessPort: ['GATEHOUSE_ACCESS_PORT', 9200],
  secretsPort: ['GATEHOUSE_SECRETS_PORT', 8200],
  boxesPort: ['GATEHOUSE_BOXES_PORT', 8300],
  modulesPort: ['GATEHOUSE_MODULES_PORT', 8400],
} as const;

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
  const port = (name: string, standard: number): number => {
    const text = value(name);
    if (text === undefined) return standard;
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
      throw new StartError(`${name} is "${text}": a port is a number from 0 (any free one) to 65535.`);
    }
    return Number(text);
  };
  const host = value('GATEHOUSE_HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) {
    throw new StartError(`GATEHOUSE_HOST is "${host}": it is the address or name of one network interface.`);
  }
  const adminPassword = value('GATEHOUSE_ADMIN_PASSWORD');
  if (adminPassword !== undefined && [...adminPassword].length < 8) {
    throw new StartError('GATEHOUSE_ADMIN_PASSWORD is too short: a password has 8 characters or more.');
  }
  const configFile = value('GATEHOUSE_CONFIG');
  const environment: Environment = {
    host,
    port: port(...ports.port),
    accessPort: port(...ports.accessPort),
    secretsPort: port(...ports.secretsPort),
    boxesPort: port(...ports.boxesPort),
    modulesPort: port(...ports.modulesPort),
    dataDir: path.resolve(folder, value('GATEHOUSE_DATA') ?? 'data'),
    adminPassword,
    configFile: configFile === undefined ? undefined : path.resolve(folder, configFile),
  };
  refuseSharedPorts(environment);
  return environment;
}

function refuseSharedPorts(environment: Environment): void {
  const taken = new Map<number, string>();
  for (const [key, [name]] of Object.entries(ports) as [keyof typeof ports, (typeof ports)['port']][]) {
    const number = environment[key];
    if (number === 0) continue;
    const other = taken.get(number);
    if (other !== undefined)
      throw new StartError(`${other} and ${name} are both ${number}: each needs its own.`);
    taken.set(number, name);
  }
}
