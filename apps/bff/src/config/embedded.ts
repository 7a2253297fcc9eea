import type { Config, ConsoleConfig } from './config.ts';
import { checkExposure } from './exposure.ts';

/** The properties of an installation without a configuration file. */
export interface EmbeddedOptions {
  /** Unix sockets of the embedded services. */
  readonly sockets: {
    readonly access: string;
    readonly secrets?: string;
    readonly boxes?: string;
    readonly modules?: string;
  };
  /** The secrets server's address for its own clients. */
  readonly secretsUrl?: URL;
  /** The box registry's address for its own clients. */
  readonly boxesUrl?: URL;
  /** The module registry's address for its own clients. */
  readonly modulesUrl?: URL;
  /** Where the console listens; 127.0.0.1:8080 unless given. */
  readonly console?: Partial<ConsoleConfig>;
  /** The only environment's name; `Local`, a development environment, unless given. */
  readonly environment?: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'development' | 'staging' | 'production';
  };
}

/**
 * The configuration of a console whose services are embedded in the same installation and share their accounts.
 * @throws ConfigError if the console would be exposed without TLS
 */
export function embeddedConfig(options: EmbeddedOptions): Config {
  const console: ConsoleConfig = {
    host: '127.0.0.1',
    port: 8080,
    allowedHosts: [],
    trustedProxies: [],
    ...options.console,
  };
  checkExposure(console);
  return {
    console,
    environments: [
      {
        ...(options.environment ?? { id: 'local', name: 'Local', kind: 'development' }),
        sharedAccounts: true,
        services: {
          access: {
            endpoint: { kind: 'socket', path: options.sockets.access },
            signIn: ['password', 'token'],
          },
          ...(options.sockets.secrets !== undefined && {
            secrets: {
              endpoint: { kind: 'socket', path: options.sockets.secrets },
              ...(options.secretsUrl !== undefined && { clientUrl: options.secretsUrl }),
              signIn: ['password', 'token'],
            },
          }),
          ...(options.sockets.boxes !== undefined && {
            boxes: {
              endpoint: { kind: 'socket', path: options.sockets.boxes },
              ...(options.boxesUrl !== undefined && { clientUrl: options.boxesUrl }),
              signIn: ['password', 'token'],
            },
          }),
          ...(options.sockets.modules !== undefined && {
            modules: {
              endpoint: { kind: 'socket', path: options.sockets.modules },
              ...(options.modulesUrl !== undefined && { clientUrl: options.modulesUrl }),
              signIn: ['password', 'token'],
            },
          }),
        },
      },
    ],
    keys: undefined,
  };
}
