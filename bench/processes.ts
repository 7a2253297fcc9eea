/** The servers that a benchmark runs, each in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';

/** What a server took since its start. */
export interface Spent {
  /** Microseconds of CPU time of all its threads. */
  readonly cpu: number;
  /** Bytes of memory: now, and the most so far. */
  readonly memory: number;
  readonly mostMemory: number;
}

/** A server that can be asked what it takes. */
export interface Metered {
  spent(): Promise<Spent>;
  /** Microseconds of CPU time that all its threads took since its start. */
  cpuTime(): Promise<number>;
}

/** Processes that end, and a folder that is removed, together. */
export interface Processes extends AsyncDisposable {
  readonly folder: string;
  /** Starts a TypeScript file of the project. @param args the file, from the project's root, and its arguments */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Metered;
  /** Starts a program of the machine. */
  startProgram(command: string, args: readonly string[]): void;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const meter = new URL('cpu-meter.ts', import.meta.url).href;
const readyDeadlineMs = 20_000;

/** A place for servers, with an empty folder. */
export async function processes(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const children: ChildProcess[] = [];
  return {
    folder,
    start(args, env = {}) {
      const child = spawn(process.execPath, ['--import', meter, ...args], {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.push(child);
      const spent = async (): Promise<Spent> => {
        const told = once(child, 'message') as Promise<[Spent]>;
        child.send('spent');
        const [all] = await told;
        return all;
      };
      return { spent, cpuTime: async () => (await spent()).cpu };
    },
    startProgram(command, args) {
      children.push(spawn(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || !child.kill('SIGTERM')) return;
          await once(child, 'exit');
        }),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the address answers 200. */
export async function ready(url: string): Promise<void> {
  const deadline = performance.now() + readyDeadlineMs;
  for (;;) {
    try {
      const answer = await request(url);
      await answer.body.dump();
      if (answer.statusCode === 200) return;
    } catch {
      // Not listening yet.
    }
    if (performance.now() > deadline)
      throw new Error(`${url} is not ready after ${readyDeadlineMs / 1000} s.`);
    await sleep(50);
  }
}

/** Ports of loopback that nobody listened on a moment ago. */
export async function freePorts<Names extends string>(...names: Names[]): Promise<Record<Names, number>> {
  const servers = await Promise.all(
    names.map(async (name) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return { name, server };
    }),
  );
  const ports: Partial<Record<Names, number>> = {};
  for (const { name, server } of servers) {
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (address === null || typeof address === 'string') throw new Error('A free port has no number.');
    ports[name] = address.port;
  }
  return ports as Record<Names, number>;
}
