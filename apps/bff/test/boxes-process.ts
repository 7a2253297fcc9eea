import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { startServer, testPassword, type TestServer } from '@gatehouse/box-registry/testing/server';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { browser, type Browser } from './browser.ts';
import { signInAs } from './console.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';

/** A console in a process of its own, which can be killed, with the real embedded box registry. */
export interface BoxesProcess extends AsyncDisposable {
  readonly server: TestServer;
  /** Between the console and the registry. */
  readonly proxy: FaultProxy;
  /** The registry's own client, as an administrator. */
  readonly direct: Client;
  readonly dataDir: string;
  readonly origin: string;
  /** All log lines since the first start. */
  log(): string;
  /** Bytes of memory: now, and the most since the last start. */
  memory(): { readonly now: number; readonly most: number };
  /** A browser of the signed-in `admin`, which survives a restart of the console. */
  signedIn(): Promise<Browser>;
  /** Kills it, without completing anything. */
  kill(): Promise<void>;
  /** Starts another one with its data and port. */
  start(): Promise<void>;
}

const main = new URL('../src/main.ts', import.meta.url).pathname;

/** @param sources origins that moves may read */
export async function startBoxesProcess(sources: readonly string[] = []): Promise<BoxesProcess> {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await startServer());
  const proxy = await faultProxy(server.port);
  opening.defer(() => proxy.close());
  const folder = opening.use(temporaryFolder());
  const boxes = { url: `http://127.0.0.1:${proxy.port}`, client_url: server.url };
  writeFileSync(
    folder.file('gatehouse.yaml'),
    // JSON is YAML too.
    JSON.stringify({
      moves: { sources },
      environments: [{ id: 'test', name: 'Test', kind: 'development', services: { boxes } }],
    }),
  );
  const pages: Browser[] = [];
  let child: ChildProcess | undefined;
  let port = 0;
  let log = '';
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [main], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        GATEHOUSE_CONFIG: folder.file('gatehouse.yaml'),
        GATEHOUSE_DATA: folder.file('data'),
        GATEHOUSE_PORT: String(port),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const listening = Promise.withResolvers<number>();
    started.once('exit', () => listening.reject(new Error(`the console ended: ${log}`)));
    createInterface({ input: started.stdout }).on('line', (line) => {
      log += `${line}\n`;
      const address = /"address":"(http:[^"]+)"/.exec(line)?.[1];
      if (address !== undefined) listening.resolve(Number(new URL(address).port));
    });
    port = await listening.promise;
  };
  opening.defer(kill);
  opening.defer(async () => {
    await Promise.all(pages.map((page) => page.close()));
  });
  await start();
  const direct = await server.as('administrator');
  const opened = opening.move();
  const origin = `http://127.0.0.1:${port}`;
  return {
    server,
    proxy,
    direct,
    dataDir: folder.file('data'),
    origin,
    log: () => log,
    memory() {
      const status = readFileSync(`/proc/${child?.pid}/status`, 'utf8');
      const read = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
      return { now: read('VmRSS'), most: read('VmHWM') };
    },
    async signedIn() {
      const page = browser(origin);
      pages.push(page);
      await signInAs(page, 'admin', testPassword, 'boxes');
      return page;
    },
    kill,
    start,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
