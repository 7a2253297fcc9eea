import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AccountStore } from '../accounts.ts';
import { listen, type Listening, type Service } from '../service.ts';
import { throwAwayVariable } from '../store.ts';
import { openTestAccounts } from './test-accounts.ts';

/** A service in its own process. */
export type Killable = Awaited<ReturnType<typeof startKillable>>;

/**
 * Starts a service on `dataDir` in a process that can be killed.
 * @param script calls `serveKillable`
 */
export async function startKillable(script: URL, dataDir: string) {
  const child = spawn(process.execPath, [fileURLToPath(script), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // The service must write durably, as in production.
    env: { ...process.env, [throwAwayVariable]: undefined },
  });
  const exit = once(child, 'exit');
  for await (const url of createInterface({ input: child.stdout })) {
    return {
      url,
      pid: child.pid ?? 0,
      /** Kills the process as abruptly as a power cut, and waits for its exit. */
      async kill(): Promise<void> {
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error('the service did not start');
}

/** What a killable service is opened with. */
export interface Doomed {
  readonly dataDir: string;
  readonly accounts: AccountStore;
  /** The service's address; empty until it listens. */
  readonly address: () => string;
}

/** The main function of the process that `startKillable` starts: serves on a free port and prints its address. */
export async function serveKillable(open: (doomed: Doomed) => Promise<Service>): Promise<void> {
  const dataDir = process.argv[2];
  if (dataDir === undefined) throw new Error('the data folder is missing');
  const accounts = await openTestAccounts(`${dataDir}/accounts.db`);
  let listening: Listening | undefined;
  const service = await open({ dataDir, accounts, address: () => listening?.address ?? '' });
  listening = await listen(service, { host: '127.0.0.1', port: 0 });
  process.stdout.write(`${listening.address}\n`);
  // A killed process never writes the compile cache (NODE_COMPILE_CACHE), which makes the next start faster.
  flushCompileCache();
}
