import fs from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@gatehouse/bff/config/config-error';
import { loadConfig } from '@gatehouse/bff/config/load';
import { createLog } from '@gatehouse/service-kit/log';
import { objectsFromEnvironment } from '@gatehouse/service-kit/object-store/configured';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import { KeyRingRefused } from '@gatehouse/service-kit/secret-box';
import { StartError } from '@gatehouse/service-kit/start-error';
import { StoreRefused, StoreUnavailable, throwAwayVariable } from '@gatehouse/service-kit/store';
import { temporaryPlace } from '@gatehouse/service-kit/temporary-folder';
import { createDemo, demoEnvironments } from './demo/demo.ts';
import { readEnvironment } from './environment.ts';
import type { Environment } from './environment.ts';
import { createExample } from './example-secrets.ts';
import { startStack } from './stack.ts';
import type { StackOptions } from './stack.ts';
import { welcome } from './welcome.ts';

export interface StartOptions {
  /** `demo` runs on sample data in a temporary folder; `dev` exits quickly, to be started again. */
  readonly mode: 'start' | 'dev' | 'demo';
  /** The working copy, the root of relative paths in variables. */
  readonly root: string;
  /** The folder of the built page. */
  readonly webRoot?: string;
  /** A development server instead of a built page. */
  readonly page?: StackOptions['page'];
}

/** The demo was stopped while its data was being prepared. */
class StoppedEarly extends Error {
  override readonly name = 'StoppedEarly';
}

/**
 * Starts the console as the variables say, and prints its addresses and how to sign in. On SIGTERM, SIGINT or SIGHUP,
 * drains in-flight requests and exits 0. An error that the user can correct prints one line and exits 1.
 */
export async function start(options: StartOptions): Promise<void> {
  let temporary: string | undefined;
  // Runs however the process exits, unless it is killed.
  process.on('exit', () => {
    if (temporary !== undefined) fs.rmSync(temporary, { recursive: true, force: true });
  });
  const stop = askedToStop(options.mode);
  try {
    const environment = readEnvironment(process.env, options.root);
    if (options.mode === 'demo') {
      temporary = fs.mkdtempSync(path.join(temporaryPlace(), 'gatehouse-demo-'));
      process.env[throwAwayVariable] = '1';
      process.stdout.write('Preparing the sample data …\n');
    }
    const log = heldLog();
    const stack = await startStack(await stackOptions(options, environment, temporary, log, stop));
    log.release();
    process.stdout.write(welcome(stack, options.mode, performance.now()));
    await stop;
    await stack.close();
    // Open handles of libraries must not keep a stopped console alive.
    process.exit(0);
  } catch (error) {
    if (error instanceof StoppedEarly) process.exit(0);
    const line = explain(error);
    if (line === undefined) throw error;
    process.stderr.write(`${line}\n`);
    // What had started before must not keep the process alive.
    process.exit(1);
  }
}

/** One line for an error that the user can correct; undefined for an internal error. */
function explain(error: unknown): string | undefined {
  for (const known of [StartError, ConfigError, KeyRingRefused, StoreRefused]) {
    if (error instanceof known) return error.message;
  }
  if (!(error instanceof StoreUnavailable)) return undefined;
  const why = error.reason === 'full' ? 'the disk is full' : "one of its databases can't be read or written";
  return `The data folder can't be used: ${why}.`;
}

async function stackOptions(
  { mode, webRoot, page }: StartOptions,
  environment: Environment,
  temporary: string | undefined,
  log: HeldLog,
  stop: Promise<void>,
): Promise<StackOptions> {
  const { host, port, adminPassword, inFront, configFile, keyRing } = environment;
  const { accessPort, secretsPort, boxesPort, modulesPort } = environment;
  const ports = { accessPort, secretsPort, boxesPort, modulesPort };
  const { secretsClusterPort, secretsClusterAddress } = environment;
  const shared: Omit<StackOptions, 'dataDir'> = {
    log: (service) =>
      createLog({
        service,
        // A terminal shows only warnings and errors; a service manager collects everything.
        level: process.stderr.isTTY ? 'warn' : 'info',
        destination: log,
      }),
    drainMs: mode === 'dev' ? 200 : 10_000,
    host: host ?? '127.0.0.1',
    port: port ?? 8080,
    inFront,
    ...(adminPassword !== undefined && { adminPassword }),
    ...(webRoot !== undefined && { webRoot }),
    ...(page !== undefined && { page }),
    ...(keyRing !== undefined && { keyRing }),
    checkAnswers: mode === 'dev',
  };
  if (temporary !== undefined) {
    const pluginDirectory = path.join(temporary, 'plugins');
    const demo = createDemo(pluginDirectory);
    return {
      ...shared,
      dataDir: temporary,
      environments: demoEnvironments(ports, pluginDirectory),
      // Don't finish preparing data that will be deleted.
      prepare: (parts) =>
        Promise.race([demo.prepare(parts), stop.then(() => Promise.reject(new StoppedEarly()))]),
      example: demo.link,
    };
  }
  if (configFile === undefined) {
    const images = await objectStore('BOXES');
    const archives = await objectStore('MODULES');
    const { pluginDirectory } = environment;
    const folders = {
      ...(images !== undefined && { images }),
      ...(archives !== undefined && { archives }),
      ...(pluginDirectory !== undefined && { pluginDirectory }),
      ...(secretsClusterAddress !== undefined && { secretsClusterAddress }),
      secretsClusterPort,
    };
    const environments = [{ id: 'local', name: 'Local', kind: 'development', ...ports, ...folders }] as const;
    const moves = { sources: environment.moveSources };
    return { ...shared, dataDir: environment.dataDir, environments, moves, example: createExample };
  }
  const config = loadConfig(configFile, {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(keyRing !== undefined && { keyRing }),
  });
  return { ...shared, dataDir: environment.dataDir, config };
}

/** The S3-compatible store that the variables set for a registry; undefined for the data folder. @throws StartError */
async function objectStore(name: 'BOXES' | 'MODULES'): Promise<ObjectStore | undefined> {
  try {
    return await objectsFromEnvironment(name, process.env);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const variable = `GATEHOUSE_${name}_S3_BUCKET`;
    throw new StartError(
      `${variable} is "${process.env[variable]}": this bucket can't be reached with the given credentials.`,
      { cause: error },
    );
  }
}

/** A destination of log lines. */
interface HeldLog {
  write(line: string): void;
  /** Writes the held lines, and all further lines directly. */
  release(): void;
}

/** Holds log lines back until the console is ready: if it can't start, the user sees one line with the reason. */
function heldLog(): HeldLog {
  let held: string[] | undefined = [];
  return {
    write(line) {
      if (held === undefined) process.stderr.write(line);
      else held.push(line);
    },
    release() {
      const lines = held ?? [];
      held = undefined;
      for (const line of lines) process.stderr.write(line);
    },
  };
}

/** Resolves when the process is asked to stop, even while it still starts. A later second request exits at once. */
function askedToStop(mode: StartOptions['mode']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: number | undefined;
  const stop = (): void => {
    // Ctrl+C in a terminal arrives twice: from the terminal, and from npm. A later request means that the user
    // doesn't want to wait for pending requests.
    if (first !== undefined && performance.now() - first > 1000) process.exit(1);
    first ??= performance.now();
    resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // The reader of the output may close it: with `| head`, the demo has printed all that was wanted and ends. A
  // console keeps running for its users.
  process.stdout.on('error', () => {
    if (mode === 'demo') stop();
  });
  process.stderr.on('error', () => undefined);
  return promise;
}
