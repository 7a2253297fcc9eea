import { afterEach, expect, test, vi } from 'vitest';
import { takeDataFolder } from './data-folder.ts';
import { runAlone } from './run-alone.ts';
import { temporaryFolder } from './temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const cases = [
  [
    { GATEHOUSE_X_PORT: 'eighty' },
    'The box registry cannot start: GATEHOUSE_X_PORT is "eighty"; it must be a port',
  ],
  [{ GATEHOUSE_X_PORT: '65536' }, 'GATEHOUSE_X_PORT is "65536"'],
  [{ GATEHOUSE_ADMIN_PASSWORD: undefined }, 'there is no account yet. Set GATEHOUSE_ADMIN_PASSWORD'],
  [{ GATEHOUSE_KEYS: 'short' }, 'GATEHOUSE_KEYS'],
  [
    { GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS: '10.1.2.3, console.example' },
    'console.example is neither an IP address nor a network. Give addresses such as',
  ],
] as const;

/** Starts a service that must fail before it is opened. @returns the line that it prints */
async function startIn(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const variables = { GATEHOUSE_X_PORT: '0', GATEHOUSE_ADMIN_PASSWORD: 'correct horse', ...environment };
  vi.stubEnv('GATEHOUSE_DATA', folder);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const open = vi.fn<() => Promise<never>>();

  await runAlone({
    name: 'boxes',
    title: 'The box registry',
    portVariable: 'GATEHOUSE_X_PORT',
    defaultPort: 8300,
    open,
  });

  const lines = written.mock.calls.map(([text]) => String(text));
  expect(lines).toEqual([expect.stringMatching(/^[^\n]+\n$/)]);
  expect(process.exitCode).toBe(1);
  expect(open).not.toHaveBeenCalled();
  return lines.join('');
}

test.each(cases)("prints in one line why a service can't start: %o", async (environment, told) => {
  using folder = temporaryFolder();
  expect(await startIn(folder.path, environment)).toContain(told);
});

test('opens nothing in a data folder that another process uses', async () => {
  using folder = temporaryFolder();
  const taken = takeDataFolder(folder.path);
  expect(await startIn(folder.path, {})).toContain('is in use by another process');
  taken.release();
});
