import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { as } from './testing/people.ts';
import { startServer } from './testing/server.ts';

test("neither the data folder's files, including the write-ahead log, nor the server's log contain a value or custom metadata", async () => {
  const lines: string[] = [];
  const log = createLog({
    service: 'secrets',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  await using server = await startServer({ log });
  const client = await as(server, 'administrator');
  const path = 'secret/data/canary-path';
  await client.write(path, { data: { 'canary-name': 'canary-value', long: 'canary-long'.repeat(2000) } });
  await client.patch(path, { data: { other: { deep: ['canary-patched'] } } });
  await client.write('secret/metadata/canary-path', { custom_metadata: { 'canary-note': 'canary-text' } });
  await client.write(path, { data: { n: 'canary-third' }, options: { cas: 9 } });
  await client.write(path, '{"data":{"broken":"canary-broken"');
  await client.write('secret/destroy/canary-path', { versions: [1] });
  await client.delete(path);
  await client.read(`${path}?version=canary-query`);
  expect((await client.read('secret/metadata/canary-path')).data).toMatchObject({ current_version: 2 });

  const files = readdirSync(server.dataDir);
  expect(files).toContain('secrets-server.db-wal');
  const root = JSON.parse(readFileSync(join(server.dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    keys: Record<string, string>;
  };
  const rootKey = Buffer.from(Object.values(root.keys)[0] ?? '', 'base64');
  expect(rootKey).toHaveLength(32);
  for (const file of files) {
    const bytes = readFileSync(join(server.dataDir, file));
    const name = { file, found: (bytes.toString('latin1').match(/canary-(?!path)\w*/g) ?? []).join() };
    expect(name).toEqual({ file, found: '' });
    expect([file, bytes.includes(rootKey)]).toEqual([file, false]);
  }
  const text = lines.join('');
  expect(text).toContain('"route":"kv/data/*path"');
  expect(text).not.toContain('canary');
  expect(text).not.toContain(client.token ?? 'no token');
});
