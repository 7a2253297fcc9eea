import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A registry in a process of its own. */
export interface Killable {
  readonly url: string;
  readonly pid: number;
  /** Kills it at once, as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts a registry on `dataDir` in a process that can be killed. */
export async function startKillable(dataDir: string): Promise<Killable> {
  const script = fileURLToPath(new URL('./server-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: `${dataDir}/compiled` },
  });
  const exit = once(child, 'exit');
  for await (const url of createInterface({ input: child.stdout })) {
    return {
      url,
      pid: child.pid ?? 0,
      async kill() {
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error('the registry did not start');
}
