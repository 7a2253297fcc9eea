import { testClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import { openSqlite } from '#store/sqlite.ts';
import { auditChain } from './chain.ts';
import { auditKeys } from './keys.ts';
import { auditTrail, type Deed } from './trail.ts';
import { changedValues, valuesKeptForMs } from './values.ts';

test('only changed fields of certain records are kept, without secrets, and cut at 1,000 characters', () => {
  const paths = ['name', 'attributes.default_port', 'tags', 'same', 'password', 'missing', 'long'];
  const before = { name: 'a', attributes: { default_port: 22 }, same: 1, password: 'canary', long: 'x' };
  const after = { ...before, name: 'b', attributes: { default_port: 23 }, tags: ['t'], password: 'bird' };
  expect(changedValues('target.update', paths, before, { ...after, long: 'y'.repeat(1_001) })).toEqual([
    { path: 'name', before: 'a', after: 'b' },
    { path: 'attributes.default_port', before: '22', after: '23' },
    { path: 'tags', before: null, after: '["t"]' },
    { path: 'long', before: 'x', after: `${'y'.repeat(1_000)}…` },
  ]);
  const long = (end: string) => ({ long: `${'x'.repeat(5_000)}${end}` });
  expect(changedValues('target.update', ['long'], long('old'), long('new'))).toEqual([
    { path: 'long', before: `…${'x'.repeat(100)}old`, after: `…${'x'.repeat(100)}new` },
  ]);
  for (const action of ['secret-metadata.update', 'credential.update', 'cloud-role.update', 'target.create'])
    expect(changedValues(action, paths, before, after)).toEqual([]);
});

test('values are encrypted for their change, kept if it is recorded late, and deleted after 90 days', async () => {
  using folder = temporaryFolder();
  const clock = testClock();
  const ring = keyRingOfOne('k_1', Buffer.alloc(32, 7));
  const seal = tokenSeal(
    () => ring,
    clock,
    () => undefined,
  );
  const database = openSqlite(folder.file('console.db'));
  const chain = auditChain(database, (await auditKeys(database, seal, clock)).current, silentLog);
  let isFull = false;
  const append: typeof chain.append = async (event, along) => {
    if (isFull) throw new Error('the disk is full');
    return chain.append(event, along);
  };
  const trail = auditTrail({
    environments: [],
    database,
    chain: { ...chain, append },
    seal,
    clock,
    log: silentLog,
  });
  const wish = { operation: 'targets.update', params: {}, body: {}, revision: '1' };
  const change = async (before: string) => {
    const intent = await trail.intend(deed, wish);
    isFull = before === 'late';
    const values = [{ path: 'name', before, after: 'canary' }];
    await trail.conclude(intent, {
      outcome: 'succeeded',
      problem: null,
      revisionAfter: '2',
      learned: {},
      values,
    });
    isFull = false;
    return intent;
  };
  const first = await change('first');
  const late = await change('late');
  expect(await trail.valuesOf(late)).toBeUndefined();
  await trail.retry();
  expect(await trail.valuesOf(first)).toEqual([{ path: 'name', before: 'first', after: 'canary' }]);
  expect(await trail.valuesOf(late)).toEqual([{ path: 'name', before: 'late', after: 'canary' }]);

  const { build } = database;
  const all = await database.all(sql<object>`SELECT * FROM audit_values, audit`.compile(build));
  expect(JSON.stringify(all)).not.toContain('canary');
  const [one] = await database.all(
    build.selectFrom('audit_values').select('sealed').where('intent', '=', first.sequence).compile(),
  );
  await database.run(
    build
      .updateTable('audit_values')
      .set({ sealed: one?.sealed ?? '' })
      .where('intent', '=', late.sequence)
      .compile(),
  );
  expect(await trail.valuesOf(late)).toBeUndefined();

  clock.advance(valuesKeptForMs);
  await trail.sweep();
  expect(await trail.valuesOf(first)).toBeDefined();
  clock.advance(1);
  await trail.sweep();
  expect(await trail.valuesOf(first)).toBeUndefined();
  await trail.close();
  await database.close();
});

const deed: Deed = {
  personId: 'test/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  sessionId: 's_1',
  address: '127.0.0.1',
  environment: 'test',
  service: 'access',
  action: 'target.update',
  kind: 'target',
  id: 't_1',
  name: 'db',
  paths: ['name'],
  decisions: [],
  revision: '1',
  requestId: 'r_1',
};
