import { ConfigError } from './config-error.ts';
import type { ConfigOverrides } from './load.ts';

/** The environment variables of a console that is started alone. */
export interface EnvironmentSettings extends ConfigOverrides {
  readonly configFile: string;
  readonly dataDir: string;
  readonly webRoot?: string;
}

/**
 * Reads GATEHOUSE_CONFIG, GATEHOUSE_DATA, GATEHOUSE_WEB, GATEHOUSE_HOST, GATEHOUSE_PORT and GATEHOUSE_KEYS. An empty
 * variable counts as unset.
 * @throws ConfigError for an invalid value
 */
export function settingsOf(env: Readonly<Record<string, string | undefined>>): EnvironmentSettings {
  const set = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
  const { GATEHOUSE_CONFIG, GATEHOUSE_DATA, GATEHOUSE_WEB, GATEHOUSE_HOST, GATEHOUSE_PORT, GATEHOUSE_KEYS } =
    set;
  if (GATEHOUSE_CONFIG === undefined) {
    throw new ConfigError("GATEHOUSE_CONFIG isn't set. Set it to the path of the configuration file.");
  }
  return {
    configFile: GATEHOUSE_CONFIG,
    dataDir: GATEHOUSE_DATA ?? './data',
    ...(GATEHOUSE_WEB !== undefined && { webRoot: GATEHOUSE_WEB }),
    ...(GATEHOUSE_HOST !== undefined && { host: GATEHOUSE_HOST }),
    ...(GATEHOUSE_PORT !== undefined && { port: portOf(GATEHOUSE_PORT) }),
    ...(GATEHOUSE_KEYS !== undefined && { keyRing: GATEHOUSE_KEYS }),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port > 65_535) throw new ConfigError(`GATEHOUSE_PORT is "${text}". Use a port from 0 to 65535.`);
  return port;
}
