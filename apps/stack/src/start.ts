import fs from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@gatehouse/bff/config/config-error';
import { loadConfig } from '@gatehouse/bff/config/load';
import { createLog } from '@gatehouse/service-kit/log';
import { objectsFromEnvironment } from '@gatehouse/service-kit/object-store/configured';
import type { ObjectStore } from '@gatehouse/service-kit/object-store/object-store';
import { KeyRingRefused } from '@gatehouse/service-kit/secret-box';
import { StoreUnavailable, throwAwayVariable } from '@gatehouse/service-kit/store';
import { temporaryPlace } from '@gatehouse/service-kit/temporary-folder';
import { createDemo, demoEnvironments } from './demo/demo.ts';
import { readEnvironment } from './environment.ts';
import type { Environment } from './environment.ts';
import { createExample } from './example-secrets.ts';
import { startStack } from './stack.ts';
import type { StackOptions } from './stack.ts';
import { StartError } from './start-error.ts';
import { welcome } from './welcome.ts';

/** How a person starts the console. */
export interface StartOptions {
  /** `demo` runs on sample data in a temporary folder; `dev` stops at once, to be started again. */
  readonly mode: 'start' | 'dev' | 'demo';
  /** The working copy: relative paths in variables start here. */
  readonly root: string;
  /** Folder of the built page. */
  readonly webRoot?: string;
  /** The development server instead of a built page. */
  readonly page?: StackOptions['page'];
}

/** The demo was asked to stop while its estate was being prepared. */
class StoppedEarly extends Error {
  override readonly name = 'StoppedEarly';
}

/**
 * Starts the console as the variables say, prints where it is and how to sign in, and stays until SIGTERM or
 * SIGINT, after which it drains and the process ends with 0. What a person can correct ends it with one line and 1.
 */
export async function start(options: StartOptions): Promise<void> {
  let temporary: string | undefined;
  // However the process ends by itself.
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
    // Whatever a library still has open must not keep a stopped console alive.
    process.exit(0);
  } catch (error) {
    if (error instanceof StoppedEarly) process.exit(0);
    const line = explain(error);
    if (line === undefined) throw error;
    process.stderr.write(`${line}\n`);
    process.exitCode = 1;
  }
}

/** One line for what a person can correct; undefined for a fault of the console's own. */
function explain(error: unknown): string | undefined {
  if (error instanceof StartError || error instanceof ConfigError || error instanceof KeyRingRefused) {
    return error.message;
  }
  if (!(error instanceof StoreUnavailable)) return undefined;
  const why = {
    full: 'the disk is full',
    busy: 'another program has one of its databases open',
    incomplete: "one of its databases can't be read or written",
    failed: "one of its databases can't be read or written",
  }[error.reason];
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
        // Whoever watches a terminal wants what needs attention; a service manager collects everything.
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
      // Nobody waits for an estate that is to be deleted.
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

/** The S3-compatible store that the variables name for a registry; undefined for the data folder. @throws StartError */
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

/** Where log lines go. */
interface HeldLog {
  write(line: string): void;
  /** Lets through what was held back, and everything from now on. */
  release(): void;
}

/** Holds log lines back until the console is ready: whoever cannot start it reads one line, and why. */
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

/** Resolves when the process is asked to stop, also while it still starts; asked again later, it ends at once. */
function askedToStop(mode: StartOptions['mode']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let first: number | undefined;
  const stop = (): void => {
    // A terminal's Ctrl+C comes twice: from the terminal, and handed on by npm. Whoever asks again later does not
    // want to wait for requests under way.
    if (first !== undefined && performance.now() - first > 1000) process.exit(1);
    first ??= performance.now();
    resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  // Whoever reads what is printed may close it: with `| head` the demo has said all that it was asked for. A console
  // goes on, for others use it.
  process.stdout.on('error', () => {
    if (mode === 'demo') stop();
  });
  process.stderr.on('error', () => undefined);
  return promise;
}
