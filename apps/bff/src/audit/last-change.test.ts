import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test } from 'vitest';
import { openSqlite } from '../store/sqlite.ts';
import { auditChain, type AuditEvent } from './chain.ts';
import { lastChange } from './last-change.ts';

const stored = (action: string, by: string, revisionAfter: string | null): AuditEvent => ({
  time: 1_700_000_000_000,
  intent: null,
  person_id: 'test/access/u_1',
  person_name: by,
  login_name: 'ada',
  session_id: 'se_1',
  address: '127.0.0.1',
  environment: 'test',
  service: 'access',
  action,
  resource_kind: action.slice(0, action.indexOf('.')),
  resource_id: 'hsst_0000000001',
  resource_name: 'web',
  paths: '["description"]',
  decisions: '[]',
  revision_before: '1',
  revision_after: revisionAfter,
  outcome: 'succeeded',
  problem: null,
  request_id: 'request-1',
});

test('finds who made a revision of a record, and who deleted it, for users who have seen it', async () => {
  using folder = temporaryFolder();
  const database = openSqlite(folder.file('console.db'));
  const chain = auditChain(database, { id: 'ak_1', key: Buffer.alloc(32) }, silentLog);
  await chain.append(stored('host-set.update', 'Ada', '2'));
  await chain.append(stored('host-set.change-hosts', 'Grace', '3'));
  await chain.append(stored('host-set.delete', 'Linus', null));
  const record = { environment: 'test', service: 'access', resource_id: 'hsst_0000000001' };
  const change = { personId: 'test/access/u_1', at: '2023-11-14T22:13:20.000Z' };
  const modified = (currentRevision: string | null) =>
    lastChange(database, record, { reason: 'modified', expectedRevision: '1', currentRevision });
  const deleted = (expectedRevision: string | null) =>
    lastChange(database, record, { reason: 'deleted', expectedRevision, currentRevision: null });
  expect(await modified('2')).toEqual({ by: 'Ada', ...change });
  expect(await modified('3')).toEqual({ by: 'Grace', ...change });
  expect(await modified('4')).toBeUndefined();
  expect(await modified(null)).toBeUndefined();
  for (const seen of ['1', '3']) expect(await deleted(seen)).toEqual({ by: 'Linus', ...change });
  for (const made of ['4', '', null]) expect(await deleted(made)).toBeUndefined();
  await chain.close();
  await database.close();
});
