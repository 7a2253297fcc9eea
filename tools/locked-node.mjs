import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { inRoot } from './folders.mjs';
import { nodePackage } from './install.mjs';

/** The oldest Node that runs the servers: argon2 in node:crypto, and TypeScript sources without a flag. */
const oldest = /** @type {const} */ ([24, 7]);

/**
 * Path of the Node that runs everything: the locked one of package-lock.json, else this machine's own. Exits with one
 * line if neither works.
 */
function chooseNode() {
  const file = process.platform === 'win32' ? ['node.exe'] : ['bin', 'node'];
  const locked = inRoot('node_modules', nodePackage(), ...file);
  if (fs.existsSync(locked)) {
    if (fs.realpathSync(process.execPath) === fs.realpathSync(locked)) return process.execPath;
    // A binary for another C library can be installed, but doesn't start.
    if (spawnSync(locked, ['--version'], { stdio: 'ignore' }).status === 0) return locked;
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return process.execPath;
  process.stderr.write(
    `There is no locked Node for ${process.platform} ${process.arch}, and this machine's ${process.version} is too old: install Node ${oldest.join('.')} or newer.\n`,
  );
  process.exit(1);
}

/**
 * Continues in the locked Node. Returns immediately if it is running already.
 * @param {string} script absolute path of the running script
 * @returns {Promise<void>} never settles if another process takes over
 */
export async function continueInLockedNode(script) {
  const node = chooseNode();
  if (node !== process.execPath) await continueAs([script, ...process.argv.slice(2)], node);
}

/**
 * Continues as another run of Node. If possible, the process is replaced, so that npm's process ID stays valid.
 * Otherwise a child runs and receives all signals.
 * @param {string[]} args the arguments after the program's name
 * @param {string} [node] the Node to use
 * @returns {Promise<never>}
 */
export async function continueAs(args, node = process.execPath) {
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...args], process.env);
  }
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`Node could not be started: ${error.message}.\n`);
      resolve(1);
    });
    // Shells report an end by SIGTERM as 143.
    child.once('exit', (code) => resolve(code ?? 143));
  });
  process.exit(status);
}
