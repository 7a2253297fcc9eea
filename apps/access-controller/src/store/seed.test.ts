import { openAccounts } from '@gatehouse/service-kit/accounts';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { createService } from '../app.ts';
import { measuringSeed } from '../domain/seed.ts';
import { openDatabase } from './database.ts';
import { seedStore } from './seed.ts';
import { targetStore } from './targets.ts';

test('stores 10,000 targets in one transaction, and only once', async () => {
  using folder = temporaryFolder();
  const now = Date.UTC(2026, 0, 1);
  const store = openDatabase(folder.path);
  expect(await seedStore(store, measuringSeed(10_000, now), now)).toBe(true);
  expect(await seedStore(store, measuringSeed(10, now), now)).toBe(false);
  const targets = targetStore(store);
  expect(targets.count('all')).toBe(10_000);
  expect(targets.page('all', undefined, 2).items).toMatchObject([
    { name: 'target 009999', address: '10.0.39.15', createdTime: now },
    { name: 'target 009998', createdTime: now - 1000 },
  ]);
  await store.close();
});

test('stores nothing of a seed that breaks the rules', async () => {
  using folder = temporaryFolder();
  const accounts = openAccounts({ file: folder.file('accounts.db') });
  const seed = (name: string) => [
    { name: 'o', projects: [{ name: 'p', targets: [{ type: 'tcp' as const, name, defaultPort: 1 }] }] },
  ];
  await expect(createService({ dataDir: folder.path, accounts, seed: seed('') })).rejects.toThrow(
    'is invalid',
  );
  const service = await createService({ dataDir: folder.path, accounts, seed: seed('good') });
  await service.close();
  await accounts.close();
  const store = openDatabase(folder.path);
  expect(targetStore(store).page('all', undefined, 9).items).toMatchObject([{ name: 'good' }]);
  await store.close();
});
