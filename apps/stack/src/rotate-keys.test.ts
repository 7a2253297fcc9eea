import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { signIn } from './access-client.ts';
import { rotateKeys } from './rotate-keys.ts';
import { startStack } from './stack.ts';

const password = 'correct horse battery';

test('re-encrypts stored secrets with the new key at the next start', async () => {
  using folder = temporaryFolder();
  const start = () => startStack({ dataDir: folder.path, adminPassword: password });
  const sealedOf = (id: string): Uint8Array => {
    const database = new DatabaseSync(folder.file('access-controller.db'), { readOnly: true });
    const row = database.prepare('SELECT sealed FROM credential WHERE id = ?').get(id);
    database.close();
    if (!(row?.['sealed'] instanceof Uint8Array)) throw new Error('nothing is stored');
    return row['sealed'];
  };

  const first = await start();
  const url = (stack: typeof first) => stack.environments[0]?.access.url ?? '';
  const client = await signIn(url(first), 'admin', password);
  const store = await client.create('credential-stores', { scope_id: 'p_1234567890', type: 'static' });
  const credential = await client.create('credentials', {
    credential_store_id: store.id,
    type: 'username_password',
    attributes: { username: 'app', password: 'kept secret' },
  });
  expect(() => rotateKeys(folder.path)).toThrow(/in use/);
  await first.close();

  const file = folder.file('access-controller-keys.json');
  const before = keyRingFromFile(file).activeKeyId;
  const rotated = rotateKeys(folder.path);
  expect(rotated.map((ring) => path.basename(ring.file))).toEqual(
    expect.arrayContaining(['access-controller-keys.json', 'console-keys.json']),
  );
  const ring = keyRingFromFile(file);
  expect(ring.activeKeyId).not.toBe(before);
  expect(ring.keyIds).toEqual([before, ring.activeKeyId]);
  expect(ring.needsRewrap(sealedOf(credential.id))).toBe(true);

  const second = await start();
  expect(ring.needsRewrap(sealedOf(credential.id))).toBe(false);
  expect(ring.open(sealedOf(credential.id), `credential/${credential.id}`).toString()).toContain(
    'kept secret',
  );
  await second.close();
});

const command = (root: string, variables: Record<string, string> = {}) =>
  spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { rotateKeysCommand } = await import(${JSON.stringify(new URL('rotate-keys.ts', import.meta.url).href)});
       rotateKeysCommand(${JSON.stringify(root)});`,
    ],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...variables,
      },
    },
  );

test('rotates the key rings of environments and of a configuration file, and names them', () => {
  using folder = temporaryFolder();
  fs.mkdirSync(folder.file('data/production'), { recursive: true });
  const files = [folder.file('data/production/access-controller-keys.json'), folder.file('elsewhere.json')];
  for (const file of files) keyRingFromFile(file);
  fs.writeFileSync(
    folder.file('console.yaml'),
    'keys: { file: elsewhere.json }\nenvironments:\n  - { id: a, name: A, kind: staging, services: { access: { url: "https://a.example" } } }\n',
  );
  const { status, stdout, stderr } = command(folder.path, { GATEHOUSE_CONFIG: 'console.yaml' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  for (const file of files) {
    expect(stdout).toContain(
      `${file}: ${keyRingFromFile(file).activeKeyId} is now the active one of 2 keys.`,
    );
  }
});

test.each([
  [{}, /data has no key ring/],
  [{ GATEHOUSE_KEYS: Buffer.alloc(32).toString('base64') }, /come from GATEHOUSE_KEYS/],
  [{ GATEHOUSE_CONFIG: 'missing.yaml' }, /missing\.yaml/],
])("explains in one line why it can't rotate with %j", (variables, message) => {
  using folder = temporaryFolder();
  const { status, stdout, stderr } = command(folder.path, variables);
  expect(status).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd()).not.toContain('\n');
});
