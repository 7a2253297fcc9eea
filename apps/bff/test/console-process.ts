import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';

/** A console in a process of its own, which can be stopped and killed. */
export interface ConsoleProcess {
  /** Its output so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Its exit code and signal, once all its output has been read. */
  readonly ended: Promise<[number | null, NodeJS.Signals | null]>;
  kill(signal: NodeJS.Signals): void;
  /**
   * Resolves when the output matches; rejects if the process ends before. There is no time limit, because machines
   * differ.
   */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Where it listens, once it does. */
  origin(): Promise<string>;
}

/** The configuration of a console with one access controller, on any free port. */
export const configurationFor = (accessUrl: string): string =>
  `console: {port: 0}\nenvironments: [{id: test, name: Test, kind: development, services: {access: {url: '${accessUrl}'}}}]\n`;

/** Starts a console with its configuration and data in `folder`. */
export function startConsoleProcess(
  folder: TemporaryFolder,
  configuration: string,
  variables: Readonly<Record<string, string>> = {},
): ConsoleProcess {
  writeFileSync(folder.file('gatehouse.yaml'), configuration);
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('#main.ts'))], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      GATEHOUSE_CONFIG: folder.file('gatehouse.yaml'),
      GATEHOUSE_DATA: folder.file('data'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close') as ConsoleProcess['ended'];
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.stdout);
        if (found !== null) resolve(found);
      };
      child.stdout.on('data', look);
      look();
      void ended.then(([code]) =>
        reject(
          new Error(`It ended with ${code} before it printed ${pattern}: ${output.stdout}${output.stderr}`),
        ),
      );
    });
  return {
    output,
    ended,
    kill: (signal) => child.kill(signal),
    printed,
    origin: async () => (await printed(/"address":"(http:[^"]+)"/))[1] ?? '',
  };
}
