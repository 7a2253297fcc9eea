import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A console on sample data, in a process of its own. */
export interface Demo extends AsyncDisposable {
  readonly origin: string;
}

/** Builds what is stale and starts the demo on free ports. @param password of its `admin` */
export async function startDemo(password: string): Promise<Demo> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../tools/start.mjs', import.meta.url)), 'demo'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        GATEHOUSE_PORT: '0',
        GATEHOUSE_ACCESS_PORT: '0',
        GATEHOUSE_SECRETS_PORT: '0',
        GATEHOUSE_BOXES_PORT: '0',
        GATEHOUSE_ADMIN_PASSWORD: password,
      },
    },
  );
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || !child.kill('SIGTERM')) return;
    await once(child, 'exit');
  };
  let said = '';
  for await (const text of child.stdout) {
    said += String(text);
    const [, origin] = /Console +(\S+)/.exec(said) ?? [];
    if (origin === undefined) continue;
    return { origin, [Symbol.asyncDispose]: end };
  }
  throw new Error('The demo did not start.');
}
