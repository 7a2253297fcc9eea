import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { auditChain } from './chain.ts';
import { auditKeys } from './keys.ts';
import { auditTrail, pathsWithin, type Deed } from './trail.ts';

test("keeps 1,000 paths and 32 KiB of an entry's paths, and the number of the others", () => {
  const short = Array.from({ length: 1_001 }, (_, at) => `f${at}`);
  expect(pathsWithin(short.slice(0, 1_000))).toEqual(short.slice(0, 1_000));
  expect(pathsWithin(short)).toEqual([...short.slice(0, 999), 'and 2 more']);
  const long = Array.from({ length: 80 }, () => 'x'.repeat(512));
  expect(pathsWithin(long.slice(0, 64))).toEqual(long.slice(0, 64));
  expect(pathsWithin(long)).toEqual([...long.slice(0, 64), 'and 16 more']);
});

test("records other late outcomes though one still can't be recorded", async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 7));
  const seal = tokenSeal(
    () => ring,
    systemClock,
    () => undefined,
  );
  const chain = auditChain(database, (await auditKeys(database, seal, systemClock)).current, silentLog);
  const failing = new Set(['first', 'second']);
  const trail = auditTrail({
    database,
    chain: {
      ...chain,
      append: async (event, along) => {
        if (failing.has(event.resource_id)) throw new Error('the disk is full');
        return chain.append(event, along);
      },
    },
    seal,
    clock: systemClock,
    log: silentLog,
  });
  for (const id of failing) await trail.did({ ...deed, id }, null);
  failing.delete('second');
  await trail.retry();
  const recorded = await database.all(database.build.selectFrom('audit').select('resource_id').compile());
  expect(recorded).toEqual([{ resource_id: 'second' }]);
  await trail.close();
  await database.close();
});

const deed: Deed = {
  personId: 'test/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  sessionId: 'se_1',
  address: '127.0.0.1',
  environment: 'test',
  service: 'boxes',
  action: 'box.create',
  kind: 'box',
  id: '',
  name: '',
  paths: [],
  decisions: [],
  revision: null,
  requestId: 'request',
};
