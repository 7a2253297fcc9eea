import { spawn } from 'node:child_process';
import { root } from './folders.mjs';

/**
 * Runs programs concurrently, and shows each program's output in one piece when it ends.
 * @param {{ name: string, run: () => Promise<{ ok: boolean, output: string }> }[]} steps
 * @param {number} atOnce how many may run at the same time
 * @returns {Promise<boolean>} whether all succeeded
 */
export async function runSteps(steps, atOnce) {
  const waiting = [...steps];
  let ok = true;
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const began = performance.now();
      const result = await step.run();
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(`${result.ok ? '✓' : '✗'} ${step.name.padEnd(34)} ${seconds.padStart(5)} s\n`);
      if (!result.ok) {
        ok = false;
        process.stdout.write(`${result.output.trimEnd()}\n\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ok;
}

/**
 * Runs one program to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ shell?: boolean, cwd?: string, env?: NodeJS.ProcessEnv }} [options] in the root unless given
 * @returns {Promise<{ ok: boolean, output: string }>} its output on both streams, in order
 */
export function runProgram(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (output += text));
    }
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}
