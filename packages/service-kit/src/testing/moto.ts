import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Whether moto's server is installed (`pip install 'moto[server]'`). */
export const hasMoto = spawnSync('python3', ['-c', 'import moto.server']).status === 0;

const program = `
import sys
from werkzeug.serving import make_server
from moto.server import DomainDispatcherApplication, create_backend_app
server = make_server('127.0.0.1', 0, DomainDispatcherApplication(create_backend_app), threaded=True)
print(server.port, flush=True)
server.serve_forever()
`;

/** Moto's server, which simulates AWS in memory. */
export interface Moto extends AsyncDisposable {
  readonly url: string;
}

/** Starts the server on a free port. @throws Error if it does not start */
export async function startMoto(): Promise<Moto> {
  const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(child, 'exit');
  for await (const port of createInterface({ input: child.stdout })) {
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        child.kill('SIGKILL');
        await exit;
      },
    };
  }
  throw new Error('moto did not start');
}
