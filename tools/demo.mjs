import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inRoot } from './folders.mjs';

/**
 * A demo in a process of its own: where its console is, and the access controller and the secrets server of production.
 *
 * @typedef {{ origin: string, access: string, secrets: string } & AsyncDisposable} Demo
 */

/**
 * Builds what is stale and starts the demo on free ports.
 * @param {string} password the password of `admin`
 * @returns {Promise<Demo>}
 */
export async function startDemo(password) {
  const child = spawn(process.execPath, [inRoot('tools/start.mjs'), 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_ACCESS_PORT: '0',
      GATEHOUSE_SECRETS_PORT: '0',
      GATEHOUSE_BOXES_PORT: '0',
      GATEHOUSE_MODULES_PORT: '0',
      GATEHOUSE_ADMIN_PASSWORD: password,
    },
  });
  const end = async () => {
    if (child.exitCode !== null || !child.kill('SIGTERM')) return;
    await once(child, 'exit');
  };
  let said = '';
  for await (const text of child.stdout) {
    said += String(text);
    const [, origin] = /Console +(\S+)/.exec(said) ?? [];
    const [, access] = /Access API, production +(\S+)/.exec(said) ?? [];
    const [, secrets] = /Secrets API, production +(\S+)/.exec(said) ?? [];
    if (origin !== undefined && access !== undefined && secrets !== undefined)
      return { origin, access, secrets, [Symbol.asyncDispose]: end };
  }
  throw new Error('The demo did not start.');
}
