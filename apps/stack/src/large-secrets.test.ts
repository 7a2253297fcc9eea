import fs from 'node:fs';
import path from 'node:path';
import { temporaryPlace } from '@gatehouse/service-kit/temporary-folder';
import { cheapHashing } from '@gatehouse/service-kit/testing/test-accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { largeSecrets } from './large-secrets.ts';
import { signInToSecrets } from './secrets-client.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';

const password = 'correct horse battery';
const dataDir = fs.mkdtempSync(path.join(temporaryPlace(), 'gatehouse-large-'));
let stack: Stack | undefined;

beforeAll(async () => {
  stack = await startStack({
    dataDir,
    environments: [
      { id: 'local', name: 'Local', kind: 'development', accessPort: 0, secretsSeed: largeSecrets(30) },
    ],
    adminPassword: password,
    hashing: cheapHashing,
    drainMs: 100,
  });
});
afterAll(async () => {
  await stack?.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

it('fills a large folder and many small ones', async () => {
  const url = stack?.environments[0]?.secrets.url ?? '';
  const client = await signInToSecrets(url, 'admin', password);
  const { keys } = await client.read('secret/metadata/fleet?list=true');
  expect(keys).toHaveLength(30);
  expect(await client.read('secret/data/fleet/host-000030')).toMatchObject({
    data: { password: 'sample 30' },
    metadata: { version: 1 },
  });
  expect(await client.read('secret/data/teams/2000/token')).toMatchObject({ metadata: { version: 1 } });
});
