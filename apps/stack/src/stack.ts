import fs from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import path from 'node:path';
import { createService as createAccessController } from '@gatehouse/access-controller';
import type { Seed } from '@gatehouse/access-controller/domain/seed';
import { createBff } from '@gatehouse/bff';
import type { Bff } from '@gatehouse/bff';
import type { Config, ConsoleConfig, EnvironmentConfig } from '@gatehouse/bff/config/config';
import { embeddedConfig } from '@gatehouse/bff/config/embedded';
import { checkExposure } from '@gatehouse/bff/config/exposure';
import { createService as createBoxRegistry } from '@gatehouse/box-registry';
import { createService as createModuleRegistry } from '@gatehouse/module-registry';
import type { Seed as ModulesSeed } from '@gatehouse/module-registry';
import { createService as createSecretsServer, installationSeed } from '@gatehouse/secrets-server';
import type { Seed as SecretsSeed } from '@gatehouse/secrets-server';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import type { AccountsOptions, AccountStore } from '@gatehouse/service-kit/accounts';
import { systemClock } from '@gatehouse/service-kit/clock';
import type { Clock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import type { Log } from '@gatehouse/service-kit/log';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import { signInRate } from '@gatehouse/service-kit/rate-limit';
import type { InFront } from '@gatehouse/service-kit/run-alone';
import { keyRingFromEnvironment } from '@gatehouse/service-kit/secret-box';
import { takeDataFolder } from './data-folder.ts';
import { embedService, listenOrExplain } from './embedded-service.ts';
import type { EmbeddedService } from './embedded-service.ts';
import type { ExampleParts } from './example-secrets.ts';
import { ensureFirstAdministrator } from './first-administrator.ts';
import type { FirstAdministrator } from './first-administrator.ts';
import { makeRuntimeFolder } from './runtime-folder.ts';

/** An environment whose services run in this process. */
export interface EmbeddedEnvironment extends Pick<EnvironmentConfig, 'id' | 'name' | 'kind'> {
  /** TCP port of the access controller on loopback, for its own clients; 0 takes a free one. */
  readonly accessPort: number;
  /** The same of the secrets server; a free one unless given. */
  readonly secretsPort?: number;
  /** TCP port on which its secrets server listens for secondaries while it is a primary; a free one unless given. */
  readonly secretsClusterPort?: number;
  /** Where secondaries reach that port, `host:port`; loopback alone unless given. */
  readonly secretsClusterAddress?: string;
  /** The same of the box registry. */
  readonly boxesPort?: number;
  /** The same of the module registry. */
  readonly modulesPort?: number;
  /** Where the box registry keeps images; in its folder unless given. */
  readonly images?: ObjectStore;
  /** Where the module registry keeps archives; in its folder unless given. */
  readonly archives?: ObjectStore;
  /** What its empty access controller begins with; the well-known objects unless given. */
  readonly seed?: Seed;
  /** The same of its secrets server; engines at `secret/` and `cloud/` unless given. */
  readonly secretsSeed?: SecretsSeed;
  /** The same of its module registry; nothing unless given. */
  readonly modulesSeed?: ModulesSeed;
  /** Folder of the files that plugins of its secrets server name; there are none unless given. */
  readonly pluginDirectory?: string;
}

/** What a stack is made of; everything has a default but the data folder. */
export interface StackOptions {
  /** Absolute path; made when missing. One process at a time has it. */
  readonly dataDir: string;
  /** Address and port of the console; 127.0.0.1 and a free port unless given. */
  readonly host?: string;
  readonly port?: number;
  /** Embedded environments; one called Local, with a free port, unless given. */
  readonly environments?: readonly EmbeddedEnvironment[];
  /** A configuration instead of embedded environments: no service is started then. */
  readonly config?: Config;
  /** Registries that embedded environments may move boxes and modules from beside public ones. */
  readonly moves?: NonNullable<Config['moves']>;
  /** Password of the first account on the first start; generated unless given. */
  readonly adminPassword?: string;
  /** Folder of the built page; without one only the API is served. */
  readonly webRoot?: string;
  /** Serves everything but the API and /healthz instead of `webRoot`: the development server. */
  readonly page?: (server: Server) => Promise<DevelopmentPage>;
  /** Fills the data folder before anything opens; for sample data. */
  readonly prepare?: (parts: PreparedParts) => Promise<void>;
  /** On the first start makes an example, in each environment, of how its services work together. */
  readonly example?: (parts: ExampleParts) => Promise<unknown>;
  /** What hashing a password costs; the recommended cost unless given. Tests sign in often. */
  readonly hashing?: AccountsOptions['hashing'];
  /** Text of the key ring that encrypts stored tokens and credentials, over the configuration's. */
  readonly keyRing?: string;
  /** The proxies and consoles in front of the services' ports; none unless given. */
  readonly inFront?: InFront;
  /** Whether the console's answers are held against its contract: in development and tests. */
  readonly checkAnswers?: boolean;
  readonly clock?: Clock;
  /** The log of each server; nothing is logged unless given. */
  readonly log?: (server: 'access' | 'secrets' | 'boxes' | 'modules' | 'console') => Log;
  /** Time that requests under way have at the end, in milliseconds; 10 s unless given. */
  readonly drainMs?: number;
}

/** The page as a development server answers it. */
export interface DevelopmentPage {
  readonly handler: RequestListener;
  close(): Promise<void>;
}

/** What `prepare` may write to. */
export interface PreparedParts {
  /** Each environment with the folder of its services. */
  readonly environments: readonly (EmbeddedEnvironment & { readonly dataDir: string })[];
  /** Folder of the console's own database. */
  readonly dataDir: string;
  /** Folder for sockets. */
  readonly runtimeDir: string;
  /** Database of the accounts. */
  readonly accountsFile: string;
  /** Password of the first account, on the first start alone. */
  readonly password: string | undefined;
  /** Text of the key ring that everything will be opened with; undefined for those in the data folder. */
  readonly keyRing: string | undefined;
}

/** The whole console in one process. */
export interface Stack {
  /** Where browsers reach it, such as `http://127.0.0.1:8080`. */
  readonly consoleUrl: string;
  readonly environments: readonly {
    readonly id: string;
    /** The environment's services: stop and start one to see an outage. */
    readonly access: EmbeddedService;
    readonly secrets: EmbeddedService;
    readonly boxes: EmbeddedService;
    readonly modules: EmbeddedService;
  }[];
  readonly accounts: AccountStore;
  /** How the first person signs in; undefined when no service is embedded. */
  readonly admin: Omit<FirstAdministrator, 'complete'> | undefined;
  /** Whether everything that the console serves can answer. */
  ready(): Promise<boolean>;
  /** Drains and closes everything; later calls wait for the same end. */
  close(): Promise<void>;
}

const local: EmbeddedEnvironment = { id: 'local', name: 'Local', kind: 'development', accessPort: 0 };

/**
 * Boots accounts, embedded services and the console in this process. The same for `npm start`, tests, end-to-end
 * tests and benchmarks. What was opened is closed again when a later part fails.
 *
 * @throws {StartError} or ConfigError, with one line, when the person who starts can correct it
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock = systemClock, log = () => silentLog, drainMs = 10_000 } = options;
  const console = options.config?.console ?? {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    allowedHosts: [],
    trustedProxies: [],
  };
  checkExposure(console);
  await using opening = new AsyncDisposableStack();

  const folder = takeDataFolder(options.dataDir);
  opening.defer(() => folder.release());
  const runtime = makeRuntimeFolder(folder.path);
  opening.defer(() => fs.rmSync(runtime, { recursive: true, force: true }));

  const accountsFile = path.join(folder.path, 'accounts.db');
  const accounts = openAccounts({
    file: accountsFile,
    clock,
    guesses: signInRate,
    ...(options.hashing !== undefined && { hashing: options.hashing }),
  });
  opening.defer(() => accounts.close());
  const given = options.config === undefined ? (options.environments ?? [local]) : [];
  const wanted = given.map((environment) => ({
    ...environment,
    dataDir: given.length === 1 ? folder.path : path.join(folder.path, environment.id),
  }));
  // Services elsewhere have accounts of their own.
  const admin =
    wanted.length === 0
      ? undefined
      : await ensureFirstAdministrator(accounts, folder.path, options.adminPassword);

  for (const { dataDir } of wanted) fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await options.prepare?.({
    environments: wanted,
    dataDir: folder.path,
    runtimeDir: runtime,
    accountsFile,
    password: admin?.password,
    keyRing: options.keyRing,
  });

  const environments: Stack['environments'][number][] = [];
  for (const [index, environment] of wanted.entries()) {
    const { dataDir } = environment;
    const access = await embedService({
      open: () =>
        createAccessController({
          dataDir,
          accounts,
          clock,
          log: log('access'),
          ...(environment.seed !== undefined && { seed: environment.seed }),
          ...keysOf(options.keyRing),
        }),
      host: '127.0.0.1',
      inFront: options.inFront ?? { names: [] },
      port: environment.accessPort,
      portVariable: 'GATEHOUSE_ACCESS_PORT',
      socketPath: path.join(runtime, `${index}-access.sock`),
      drainMs,
    });
    opening.defer(() => access.stop());
    // Activation tokens name the port that it is going to have.
    let secretsUrl = '';
    const secrets = await embedService({
      open: () =>
        createSecretsServer({
          dataDir,
          accounts,
          clock,
          log: log('secrets'),
          seed: environment.secretsSeed ?? installationSeed,
          cluster: clusterOf(environment),
          apiAddress: () => secretsUrl,
          ...(environment.pluginDirectory !== undefined && { pluginDirectory: environment.pluginDirectory }),
          ...keysOf(options.keyRing),
        }),
      host: '127.0.0.1',
      inFront: options.inFront ?? { names: [] },
      port: environment.secretsPort ?? 0,
      portVariable: 'GATEHOUSE_SECRETS_PORT',
      socketPath: path.join(runtime, `${index}-secrets.sock`),
      drainMs,
    });
    secretsUrl = secrets.url;
    opening.defer(() => secrets.stop());
    // Its addresses name the port that it is going to have.
    let boxesUrl = '';
    const boxes = await embedService({
      open: () =>
        createBoxRegistry({
          dataDir,
          accounts,
          clock,
          log: log('boxes'),
          publicUrl: () => boxesUrl,
          ...(environment.images !== undefined && { images: environment.images }),
          ...keysOf(options.keyRing),
        }),
      host: '127.0.0.1',
      inFront: options.inFront ?? { names: [] },
      port: environment.boxesPort ?? 0,
      portVariable: 'GATEHOUSE_BOXES_PORT',
      socketPath: path.join(runtime, `${index}-boxes.sock`),
      drainMs,
    });
    boxesUrl = boxes.url;
    opening.defer(() => boxes.stop());
    const modules = await embedService({
      open: () =>
        createModuleRegistry({
          dataDir,
          accounts,
          clock,
          log: log('modules'),
          ...(environment.modulesSeed !== undefined && { seed: environment.modulesSeed }),
          ...(environment.archives !== undefined && { archives: environment.archives }),
          ...keysOf(options.keyRing),
        }),
      host: '127.0.0.1',
      inFront: options.inFront ?? { names: [] },
      port: environment.modulesPort ?? 0,
      portVariable: 'GATEHOUSE_MODULES_PORT',
      socketPath: path.join(runtime, `${index}-modules.sock`),
      drainMs,
    });
    opening.defer(() => modules.stop());
    environments.push({ id: environment.id, access, secrets, boxes, modules });
    if (options.example !== undefined && admin?.password !== undefined) {
      const { loginName, password } = admin;
      // A console without the example is as good as one with it.
      const parts = { environment: environment.id, accessUrl: access.url, secretsUrl: secrets.url };
      await options
        .example({ ...parts, loginName, password })
        .catch((error: unknown) => log('console').warn('no example made', { error }));
    }
  }
  admin?.complete();

  const config = options.config ?? embedded(console, wanted, environments, options.keyRing, options.moves);
  let answer: RequestListener = (_request, response) => {
    response.writeHead(503, { 'retry-after': '1', 'cache-control': 'no-store' }).end();
  };
  const { host, port, tls } = console;
  const door = await listenOrExplain(
    (request, response) => answer(request, response),
    { host, port, ...(tls !== undefined && { tls }) },
    'GATEHOUSE_PORT',
  );
  let page: DevelopmentPage | undefined;
  let bff: Bff | undefined;
  opening.defer(async () => {
    bff?.drain();
    await page?.close();
    await door.drain(drainMs);
    await bff?.close();
  });

  bff = await createBff({
    // Cookies and the Host allow-list carry the port, so a free one is known first.
    config: { ...config, console: { ...console, port: door.port } },
    dataDir: folder.path,
    clock,
    log: log('console'),
    ...(options.webRoot !== undefined && { webRoot: options.webRoot }),
    ...(options.checkAnswers !== undefined && { checkAnswers: options.checkAnswers }),
  });
  page = await options.page?.(door.server);
  answer = page === undefined ? bff.handler : splitAtApi(bff.handler, page.handler);
  const server = bff;
  const stopWatching = accounts.onChange(({ account, changed }) => {
    if (changed !== 'removed' && changed !== 'password' && !account.disabled) return;
    server
      .endSessionsOf(account.id)
      .catch((error: unknown) => log('console').warn('sessions not ended', { error, userId: account.id }));
  });
  opening.defer(stopWatching);

  const running = opening.move();
  let closed: Promise<void> | undefined;
  return {
    consoleUrl: console.publicUrl?.origin ?? door.address,
    environments,
    accounts,
    admin,
    ready: () => server.ready(),
    close: () => (closed ??= running.disposeAsync()),
  };
}

/** Where an environment's secrets server listens for secondaries. */
function clusterOf({ secretsClusterPort: port = 0, secretsClusterAddress: address }: EmbeddedEnvironment) {
  return address === undefined ? { host: '127.0.0.1', port } : { host: '0.0.0.0', port, address };
}

/** The keys that a service encrypts with, where its data folder is not to hold them. */
function keysOf(keyRing: string | undefined) {
  return keyRing === undefined ? {} : { keys: keyRingFromEnvironment('GATEHOUSE_KEYS', keyRing) };
}

/** The configuration of a console whose environments run in this process. */
function embedded(
  console: ConsoleConfig,
  wanted: readonly EmbeddedEnvironment[],
  running: Stack['environments'],
  keyRing: string | undefined,
  moves: Config['moves'],
): Config {
  const parts = wanted.map((environment, index) =>
    embeddedConfig({
      sockets: {
        access: running[index]?.access.socketPath ?? '',
        secrets: running[index]?.secrets.socketPath ?? '',
        boxes: running[index]?.boxes.socketPath ?? '',
        modules: running[index]?.modules.socketPath ?? '',
      },
      ...(running[index] !== undefined && {
        secretsUrl: new URL(running[index].secrets.url),
        boxesUrl: new URL(running[index].boxes.url),
        modulesUrl: new URL(running[index].modules.url),
      }),
      console,
      environment,
    }),
  );
  return {
    console,
    environments: parts.flatMap((part) => part.environments),
    keys: keyRing === undefined ? undefined : { variable: 'GATEHOUSE_KEYS', text: keyRing },
    ...(moves !== undefined && { moves }),
  };
}

function splitAtApi(api: RequestListener, page: RequestListener): RequestListener {
  return (request, response) => {
    const isApi = /^\/(?:(?:api|download)(?:\/|$)|healthz$)/.test(request.url ?? '/');
    return isApi ? api(request, response) : page(request, response);
  };
}
