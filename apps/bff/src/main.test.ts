import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { takeDataFolder } from '@gatehouse/service-kit/data-folder';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';

test('a second console with the same SQLite folder refuses to start', () => {
  using folder = temporaryFolder();
  const config = folder.file('gatehouse.yaml');
  writeFileSync(
    config,
    `environments:
  - id: local
    name: Local
    kind: development
    services: { modules: { url: http://127.0.0.1:1 } }
`,
  );
  const taken = takeDataFolder(folder.file('data'));
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const { stderr, status } = spawnSync(process.execPath, [main], {
    env: { ...process.env, GATEHOUSE_CONFIG: config, GATEHOUSE_DATA: taken.path, GATEHOUSE_PORT: '0' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  taken.release();
  expect(stderr).toContain(`is in use by another process (PID ${process.pid})`);
  expect(status).toBe(1);
});
