/** The console's validated configuration, with all defaults. */
import { createHash } from 'node:crypto';
import {
  serviceNames,
  type EnvironmentKind,
  type ServiceName,
  type SignInMethod,
} from '@gatehouse/api-types/console/service';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';

/** Where a service is: an http(s) origin with an optional path, or a Unix socket of an embedded service. */
export type ServiceEndpoint =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'socket'; readonly path: string };

/** A service of an environment. */
export interface ServiceConfig {
  readonly endpoint: ServiceEndpoint;
  /** PEM text of the authorities for its certificate; the system's own if absent. */
  readonly ca?: string;
  readonly signIn: readonly SignInMethod[];
  /** The service's address for others, if it differs from the console's. Records that name the service contain it. */
  readonly clientUrl?: URL;
  /** The access controller's auth method for passwords; its primary one if absent. */
  readonly authMethodId?: string;
  /** The secrets server's namespace; the root namespace if absent. */
  readonly namespace?: string;
  /** The mount of the secrets server's auth method for passwords; `userpass` if absent. */
  readonly passwordMount?: string;
  /** Origins to which the box registry may direct images, besides its own: those of its object store. */
  readonly uploadOrigins?: readonly string[];
  /** How images are sent to the box registry: `direct` into its object store if it has one; `plain` if absent. */
  readonly uploadWay?: 'plain' | 'direct';
  /** Private origins, besides the module registry's own, from which archives may be read. */
  readonly archiveOrigins?: readonly string[];
}

export interface EnvironmentConfig {
  readonly id: string;
  readonly name: string;
  readonly kind: EnvironmentKind;
  /** Whether one account signs in to all services of the environment. */
  readonly sharedAccounts: boolean;
  readonly services: { readonly [Name in ServiceName]?: ServiceConfig };
}

/** How browsers reach the console. */
export interface ConsoleConfig {
  readonly host: string;
  readonly port: number;
  /** The address in the browser, if it isn't host and port, as behind a proxy. */
  readonly publicUrl?: URL;
  /** Host names (or `name:port`) that the console accepts besides its own. */
  readonly allowedHosts: readonly string[];
  /** PEM text of the certificate chain and its key. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Addresses or networks (CIDR) of https proxies whose X-Forwarded headers are trusted. */
  readonly trustedProxies: readonly string[];
}

/** The spool of images between browsers and box registries. */
export interface UploadsConfig {
  /** The folder; `uploads` in the data folder if absent. */
  readonly folder?: string;
  /** Most bytes of all images; 512 GiB if absent. */
  readonly quotaBytes?: number;
  /** Most bytes of one user's images; 128 GiB if absent. */
  readonly personQuotaBytes?: number;
  /** Bytes that stay free on the disk. */
  readonly keepFreeBytes?: number;
}

/** Registries that users may name as a move's source despite the network rules. */
export interface MovesConfig {
  /** Origins that may use http, and be on private networks. */
  readonly sources: readonly string[];
  /** PEM text of authorities for these sources, besides the system's own. */
  readonly ca?: string;
}

export interface Config {
  readonly console: ConsoleConfig;
  readonly environments: readonly EnvironmentConfig[];
  /** The key-encryption keys: a key ring's file, or its text from an environment variable. */
  readonly keys: { readonly file: string } | { readonly variable: string; readonly text: string } | undefined;
  /** The spool of published images; defaults if absent. */
  readonly uploads?: UploadsConfig;
  /** Sources of moves besides public registries; none if absent. */
  readonly moves?: MovesConfig;
  /** PostgreSQL for several replicas; SQLite in the data folder if absent. */
  readonly databaseUrl?: string;
}

/**
 * The destination of a service's tokens as one text: address, namespace and authorities. A Unix socket always means
 * this machine, wherever the file is: embedded services get a new one with each start.
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

/** Equal for consoles that name the same services in the same environments, in the same order. */
export function environmentsMark(config: Config): string {
  const places = config.environments.map(({ id, sharedAccounts }) => [
    id,
    sharedAccounts,
    ...serviceNames.map((name) => destinationOf(config, id, name) ?? null),
  ]);
  return createHash('sha256').update(JSON.stringify(places)).digest('base64url');
}

/** Whether two environments' services have the same address. */
export function isSameServer(one: ServiceConfig | undefined, other: ServiceConfig | undefined): boolean {
  return one !== undefined && other !== undefined && addressOf(one) === addressOf(other);
}

function addressOf({ endpoint }: ServiceConfig): string {
  return endpoint.kind === 'url'
    ? endpoint.url.origin + trimEndSlashes(endpoint.url.pathname)
    : endpoint.path;
}

/**
 * Names a record alike in all environments that name its server by the same address, also those of other consoles: by
 * the address, and by the namespace before the ID, as a path in a namespace above may have it. A record of an embedded
 * service, whose address changes with each start, is named by its environment.
 */
export function nameAtServer(
  { environments }: Config,
  environment: string,
  service: string,
  id: string,
): readonly [string, string] {
  const services: Partial<Record<string, ServiceConfig>> =
    environments.find((one) => one.id === environment)?.services ?? {};
  const config = services[service];
  if (config?.endpoint.kind !== 'url') return [environment, id];
  const { namespace } = config;
  return [addressOf(config), namespace === undefined ? id : `${namespace}/${id}`];
}

/** Whether browsers reach the console over https. */
export function servesHttps({ console }: Config): boolean {
  return console.tls !== undefined || console.publicUrl?.protocol === 'https:';
}
