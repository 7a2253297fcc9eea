import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { createService } from '../../app.ts';
import { clientOf } from '../../testing/client.ts';
import { as } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';

test('mounts and namespaces are deleted even if others cannot be, which is logged once', async () => {
  await using own = await startServer();
  const admin = await as(own, 'administrator');
  for (const path of ['old', 'older', 'last']) await admin.write(`sys/mounts/${path}`, { type: 'kv' });
  for (const name of ['stuck', 'team']) await admin.write(`sys/namespaces/${name}`);
  // As another process would find the files if this one had been killed during its work.
  using folder = temporaryFolder();
  cpSync(own.dataDir, folder.path, { recursive: true });
  using db = new DatabaseSync(join(folder.path, 'secrets-server.db'));
  db.exec(`
    UPDATE mount SET retired = 1 WHERE path LIKE 'old%';
    UPDATE namespace SET deleting = 1;
    CREATE TRIGGER old BEFORE DELETE ON mount WHEN old.path = 'old/' BEGIN SELECT RAISE(ABORT, 'full'); END;
    CREATE TRIGGER stuck BEFORE DELETE ON namespace WHEN old.path = 'stuck/'
      BEGIN SELECT RAISE(ABORT, 'full'); END`);
  const retired = () => db.prepare('SELECT path FROM mount WHERE retired = 1').all();
  const warnings: string[] = [];
  const warn = (event: string): void => void warnings.push(event);
  const service = await createService({
    log: { ...createLog({ service: 'secrets', level: 'silent' }), warn },
    accounts: own.accounts,
    clock: own.clock,
    dataDir: folder.path,
  });
  const next = await listen(service, { host: '127.0.0.1', port: 0 });
  try {
    const again = clientOf(next.address, admin.token);
    const create = async (name: string) => (await again.write(`sys/namespaces/${name}`)).status;
    await expect.poll(() => create('team'), { timeout: 10_000 }).toBe(200);
    await expect.poll(retired, { timeout: 10_000 }).toEqual([{ path: 'old/' }]);
    expect(await create('stuck')).toBe(400);
    // The next round deletes this one, and fails again with the others.
    db.exec(`UPDATE mount SET retired = 1 WHERE path = 'last/'`);
    await expect.poll(retired, { timeout: 10_000 }).toEqual([{ path: 'old/' }]);
    expect(warnings.toSorted()).toEqual(['mount not deleted', 'namespace not deleted']);
  } finally {
    await next.drain(0);
    await service.close();
  }
});
