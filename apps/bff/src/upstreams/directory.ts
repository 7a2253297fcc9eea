import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials, ServerProduct } from '@gatehouse/api-types/console/session';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Config, ServiceConfig } from '#config/config.ts';
import type { Asker } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { AccessController } from './access-controller/client.ts';
import * as access from './access-controller/sign-in.ts';
import type { BoxRegistry } from './box-registry/client.ts';
import * as boxes from './box-registry/sign-in.ts';
import { createTransfers } from './box-registry/transfers.ts';
import type { GrantedToken } from './granted-token.ts';
import { createArchives } from './module-registry/archives.ts';
import type { ModuleRegistry } from './module-registry/client.ts';
import * as modules from './module-registry/sign-in.ts';
import { usualPasswordMount, type SecretsServer } from './secrets-server/client.ts';
import * as secrets from './secrets-server/sign-in.ts';
import { askedBy, createTransport, probing, type Transport, type TransportLimits } from './transport.ts';

/** What every service offers: signing in and out, and a probe. */
export interface SignInService {
  readonly environment: string;
  readonly service: ServiceName;
  readonly config: ServiceConfig;
  /**
   * @throws ProblemError `sign-in-failed`, `no-access`, `two-factor-required`, `two-factor-unsupported`; ServiceError without an
   * answer
   */
  signIn(credentials: Credentials, asker: Asker): Promise<GrantedToken>;
  /** Revokes a token. A token that no longer exists counts as revoked. @throws ServiceError if it may still be valid */
  revoke(tokenId: string, token: string): Promise<void>;
  /**
   * Whether a token's user has a role now; undefined if unknown. Absent for services that give users without one no
   * token.
   */
  readonly hasRole?: (token: string) => Promise<boolean | undefined>;
  /**
   * Renews a token. Absent for services whose tokens can't be renewed.
   * @returns its new expiry in milliseconds since the epoch; null if it can't be renewed
   * @throws ServiceError if the service doesn't respond
   */
  readonly renew?: (token: string) => Promise<number | null>;
  /**
   * Checks whether the service responds, its version, whether it is sealed, and whether it is a standby.
   * @throws ServiceError if it doesn't respond
   */
  probe(): Promise<{
    readonly version: string | null;
    /** The server software, for services that can be one of several. */
    readonly product?: ServerProduct | null;
    readonly standby?: boolean;
    readonly sealed?: boolean;
    /** Whether an embedded registry can reach its file store. */
    readonly storeReachable?: boolean;
  }>;
}

/** The clients of every configured service. */
export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory(config: Config, clock: Clock, limits: Partial<TransportLimits> = {}) {
  const controllers = new Map<string, AccessController>();
  const secretsServers = new Map<string, SecretsServer>();
  const registries = new Map<string, BoxRegistry>();
  const moduleRegistries = new Map<string, ModuleRegistry>();
  const content = contentReader();
  const transports: Pick<Transport, 'close'>[] = [];
  const all: SignInService[] = [];
  for (const { id: environment, services } of config.environments) {
    for (const service of serviceNames) {
      const settings = services[service];
      if (settings === undefined) continue;
      const transport = createTransport({ environment, service, config: settings, clock, limits });
      transports.push(transport);
      const parts = { environment, service, config: settings };
      if (service === 'access') {
        const controller: AccessController = {
          transport,
          embedded: settings.endpoint.kind === 'socket',
          authMethodId: settings.authMethodId,
        };
        controllers.set(environment, controller);
        all.push({
          ...parts,
          signIn: (credentials, asker) => access.signIn(askedBy(asker, controller), credentials),
          revoke: (tokenId, token) => access.revoke(controller, tokenId, token),
          hasRole: (token) => access.hasRole(controller, token),
          probe: () => access.probe(probing(controller)),
        });
      } else if (service === 'secrets') {
        const server: SecretsServer = {
          transport,
          namespace: settings.namespace,
          passwordMount: settings.passwordMount ?? usualPasswordMount,
          clock,
        };
        secretsServers.set(environment, server);
        all.push({
          ...parts,
          signIn: (credentials, asker) => secrets.signIn(askedBy(asker, server), credentials),
          revoke: (tokenId, token) => secrets.revoke(server, tokenId, token),
          renew: (token) => secrets.renew(server, token),
          probe: () => secrets.probe(probing(server)),
        });
      } else if (service === 'boxes') {
        const { endpoint, clientUrl, uploadWay = 'plain' } = settings;
        const transfers = createTransfers(environment, settings);
        transports.push(transfers);
        const registry: BoxRegistry = {
          transport,
          transfers,
          uploadWay,
          embedded: endpoint.kind === 'socket',
          clientUrl: clientUrl ?? (endpoint.kind === 'url' ? endpoint.url : null),
          known: {},
          clock,
        };
        registries.set(environment, registry);
        all.push({
          ...parts,
          signIn: (credentials, asker) => boxes.signIn(askedBy(asker, registry), credentials),
          revoke: (tokenId, token) => boxes.revoke(registry, tokenId, token),
          probe: () => boxes.probe(probing(registry)),
        });
      } else {
        const { endpoint, clientUrl } = settings;
        const addresses = {
          ownUrl: endpoint.kind === 'url' ? endpoint.url : new URL('http://localhost'),
          clientUrl: clientUrl ?? (endpoint.kind === 'url' ? endpoint.url : null),
        };
        const archives = createArchives({ ...settings, ...addresses }, content);
        transports.push(archives);
        const registry: ModuleRegistry = {
          ...addresses,
          transport,
          archives,
          embedded: endpoint.kind === 'socket',
          known: {},
          clock,
        };
        moduleRegistries.set(environment, registry);
        all.push({
          ...parts,
          signIn: (credentials, asker) => modules.signIn(askedBy(asker, registry), credentials),
          revoke: (tokenId, token) => modules.revoke(registry, tokenId, token),
          probe: () => modules.probe(probing(registry)),
        });
      }
    }
  }
  const missing = (environment: string, service: ServiceName): ProblemError =>
    new ProblemError(
      'not-found',
      `The configuration has no service "${service}" in an environment "${environment}".`,
    );
  return {
    /** Every service of every environment, in the order of the configuration. */
    all,
    /** @throws ProblemError `not-found` if it isn't configured */
    service(environment: string, service: ServiceName): SignInService {
      const found = all.find((one) => one.environment === environment && one.service === service);
      if (found === undefined) throw missing(environment, service);
      return found;
    },
    /** @throws ProblemError `not-found` if the environment has no access controller */
    access(environment: string): AccessController {
      const found = controllers.get(environment);
      if (found === undefined) throw missing(environment, 'access');
      return found;
    },
    /** @throws ProblemError `not-found` if the environment has no secrets server */
    secrets(environment: string): SecretsServer {
      const found = secretsServers.get(environment);
      if (found === undefined) throw missing(environment, 'secrets');
      return found;
    },
    /** @throws ProblemError `not-found` if the environment has no box registry */
    boxes(environment: string): BoxRegistry {
      const found = registries.get(environment);
      if (found === undefined) throw missing(environment, 'boxes');
      return found;
    },
    /** @throws ProblemError `not-found` if the environment has no module registry */
    modules(environment: string): ModuleRegistry {
      const found = moduleRegistries.get(environment);
      if (found === undefined) throw missing(environment, 'modules');
      return found;
    },
    async close(): Promise<void> {
      await content.close();
      await Promise.all(transports.map((transport) => transport.close()));
    },
  };
}
