/** What the console is configured with, validated and with every default filled in. */
import type { EnvironmentKind, ServiceName, SignInMethod } from '@gatehouse/api-types/console/service';

/** Where a service is reached: an http(s) origin with an optional path, or a Unix socket of an embedded service. */
export type ServiceEndpoint =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'socket'; readonly path: string };

/** One service of one environment. */
export interface ServiceConfig {
  readonly endpoint: ServiceEndpoint;
  /** PEM text of the authorities that its certificate is checked with; the system's own when absent. */
  readonly ca?: string;
  readonly signIn: readonly SignInMethod[];
  /** Where others reach it, if that is another place than the console's own: by this, records that name it are known. */
  readonly clientUrl?: URL;
  /** The access controller's auth method for passwords; its primary one when absent. */
  readonly authMethodId?: string;
  /** The secrets server's namespace; the root one when absent. */
  readonly namespace?: string;
  /** The secrets server's auth method for passwords, by its mount; `userpass` when absent. */
  readonly passwordMount?: string;
  /** Origins beside the box registry's own to which it may send images: those of its store of objects. */
  readonly uploadOrigins?: readonly string[];
  /** How images are sent to the box registry: `direct` where it takes them in a store of its own; `plain` when absent. */
  readonly uploadWay?: 'plain' | 'direct';
  /** Origins beside the module registry's own, on networks that are not public, from which archives may be read. */
  readonly archiveOrigins?: readonly string[];
}

export interface EnvironmentConfig {
  readonly id: string;
  readonly name: string;
  readonly kind: EnvironmentKind;
  /** Whether one account signs in to every service of the environment. */
  readonly sharedAccounts: boolean;
  readonly services: { readonly [Name in ServiceName]?: ServiceConfig };
}

/** How browsers reach the console. */
export interface ConsoleConfig {
  readonly host: string;
  readonly port: number;
  /** The address that people type, when it is not host and port: behind a proxy. */
  readonly publicUrl?: URL;
  /** Host names (or `name:port`) that the console answers to beside its own. */
  readonly allowedHosts: readonly string[];
  /** PEM text of the certificate chain and its key. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Addresses or networks (CIDR) of proxies that serve https and say whom they forward for. */
  readonly trustedProxies: readonly string[];
}

/** The room for images between browsers and box registries. */
export interface UploadsConfig {
  /** Folder; `uploads` in the data folder when absent. */
  readonly folder?: string;
  /** Bytes that all of them may take; 512 GiB when absent. */
  readonly quotaBytes?: number;
  /** Bytes that those of one person may take; 128 GiB when absent. */
  readonly personQuotaBytes?: number;
  /** Bytes that stay free on the disk. */
  readonly keepFreeBytes?: number;
}

/** Registries that people may name as the source of a move though the network's rules would refuse them. */
export interface MovesConfig {
  /** Origins that may be http, and on networks that are not public. */
  readonly sources: readonly string[];
  /** PEM text of authorities that vouch for these sources, beside the system's own. */
  readonly ca?: string;
}

export interface Config {
  readonly console: ConsoleConfig;
  readonly environments: readonly EnvironmentConfig[];
  /** The key-encryption keys of what is stored: a key ring's file, or its text from an environment variable. */
  readonly keys: { readonly file: string } | { readonly variable: string; readonly text: string } | undefined;
  /** Where images wait that are being published; defaults when absent. */
  readonly uploads?: UploadsConfig;
  /** Where boxes and modules may be moved from beside public registries; nowhere when absent. */
  readonly moves?: MovesConfig;
  /** PostgreSQL for several replicas; SQLite in the data folder when absent. */
  readonly databaseUrl?: string;
}

/**
 * Where the tokens of a service are sent, as one text: address, namespace and the authorities that vouch for it. A Unix
 * socket is a place on this machine, wherever its file lies; the embedded services get a new one with each start.
 */
export function destinationOf(
  { environments }: Config,
  environment: string,
  service: string,
): string | undefined {
  const services: { readonly [Name in string]?: ServiceConfig } =
    environments.find(({ id }) => id === environment)?.services ?? {};
  const config = services[service];
  if (config === undefined) return undefined;
  const { endpoint, namespace = '', ca = '' } = config;
  return JSON.stringify([endpoint.kind === 'url' ? endpoint.url.href : 'socket', namespace, ca]);
}

/** Whether browsers reach the console over https. */
export function servesHttps({ console }: Config): boolean {
  return console.tls !== undefined || console.publicUrl?.protocol === 'https:';
}
