import type { ServiceName } from '@gatehouse/api-types/console/service';
import { testClock, type TestClock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { createBff, type BffOptions } from '../src/app.ts';
import type { Config, EnvironmentConfig, ServiceConfig, ServiceEndpoint } from '../src/config/config.ts';
import { browser, type Browser } from './browser.ts';

/** A console on a free port with its own data folder and clock. */
export type TestConsole = Awaited<ReturnType<typeof startConsole>>;

export interface TestConsoleOptions {
  readonly access?: ServiceEndpoint;
  readonly secrets?: ServiceEndpoint;
  readonly boxes?: ServiceEndpoint;
  /** The box registry's configuration besides its endpoint. */
  readonly boxesSettings?: Partial<
    Pick<ServiceConfig, 'signIn' | 'clientUrl' | 'uploadOrigins' | 'uploadWay'>
  >;
  readonly modules?: ServiceEndpoint;
  /** The module registry's configuration besides its endpoint. */
  readonly modulesSettings?: Pick<ServiceConfig, 'clientUrl' | 'archiveOrigins'>;
  readonly uploads?: Config['uploads'];
  readonly moves?: Config['moves'];
  /** The secrets server's configuration besides its endpoint. */
  readonly secretsSettings?: Partial<Pick<ServiceConfig, 'namespace' | 'passwordMount' | 'signIn'>>;
  readonly kind?: EnvironmentConfig['kind'];
  /** Environments besides `test`. */
  readonly others?: readonly EnvironmentConfig[];
  readonly console?: Partial<Config['console']>;
  readonly bff?: Partial<BffOptions>;
  readonly log?: Log;
  readonly clock?: TestClock;
  /** The folder of an earlier console, to continue with its data. */
  readonly dataDir?: string;
  /** PostgreSQL instead of SQLite in the data folder. */
  readonly databaseUrl?: string;
  /** Replicas share a key ring. */
  readonly keyFile?: string;
}

/** The configuration of one environment `test` with the given services. */
export function testConfig({
  access,
  secrets,
  boxes,
  boxesSettings,
  modules,
  modulesSettings,
  uploads,
  moves,
  secretsSettings,
  kind = 'development',
  others = [],
  console,
  databaseUrl,
  keyFile,
}: TestConsoleOptions): Config {
  return {
    console: { host: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: [], ...console },
    environments: [
      {
        id: 'test',
        name: 'Test',
        kind,
        sharedAccounts: access !== undefined && secrets !== undefined,
        services: {
          ...(access !== undefined && { access: { endpoint: access, signIn: ['password', 'token'] } }),
          ...(secrets !== undefined && {
            secrets: { endpoint: secrets, signIn: ['password', 'token'], ...secretsSettings },
          }),
          ...(boxes !== undefined && {
            boxes: { endpoint: boxes, signIn: ['password', 'token'], ...boxesSettings },
          }),
          ...(modules !== undefined && {
            modules: { endpoint: modules, signIn: ['password', 'token'], ...modulesSettings },
          }),
        },
      },
      ...others,
    ],
    keys: keyFile === undefined ? undefined : { file: keyFile },
    ...(uploads !== undefined && { uploads }),
    ...(moves !== undefined && { moves }),
    ...(databaseUrl !== undefined && { databaseUrl }),
  };
}

export async function startConsole(options: TestConsoleOptions) {
  const folder = options.dataDir === undefined ? temporaryFolder() : undefined;
  const dataDir = options.dataDir ?? folder?.path ?? '';
  const clock = options.clock ?? testClock();
  const bff = await createBff({
    config: testConfig(options),
    dataDir,
    clock,
    checkAnswers: true,
    ...(options.log !== undefined && { log: options.log }),
    ...options.bff,
  });
  const listening = await listen(bff.handler, { host: '127.0.0.1', port: 0 });
  const browsers: Browser[] = [];
  return {
    bff,
    clock,
    origin: listening.address,
    dataDir,
    listening,
    /** A new browser without a cookie, closed with the console. */
    browser(): Browser {
      const made = browser(listening.address);
      browsers.push(made);
      return made;
    },
    async close(): Promise<void> {
      await Promise.all(browsers.map((one) => one.close()));
      await listening.drain(0);
      await bff.close();
      folder?.[Symbol.dispose]();
    },
  };
}

/** Signs in with a password, and fails the test if that fails. */
export async function signInAs(
  one: Browser,
  login_name: string,
  password: string,
  service: ServiceName = 'access',
  environment = 'test',
): Promise<void> {
  const answer = await one.send('POST', '/api/session', {
    body: {
      environment,
      service,
      credentials: { method: 'password', login_name, password },
    },
  });
  if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${answer.text}`);
}

/** Enters the password or other credentials again, for operations that require it. */
export async function confirmAs(one: Browser, secret: string, environment = 'test'): Promise<void> {
  const answer = await one.send('POST', '/api/session/confirm', { body: { environment, secret } });
  if (answer.status >= 300) throw new Error(`confirming answered ${answer.status}: ${answer.text}`);
}
