import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import {
  caughtUp,
  refusalOf,
  replication,
  startClusters,
  statusOf,
  waitFor,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';

const asks = ({ admin }: TestCluster, operation: string, body = {}) =>
  admin.write(`${replication}/${operation}`, body);

async function pair(): Promise<readonly [TestCluster, TestCluster]> {
  const clusters = await startClusters(1);
  onTestFinished(() => clusters[Symbol.asyncDispose]());
  const [secondary] = clusters.secondaries;
  if (secondary === undefined) throw new Error('no secondary');
  return [clusters.primary, secondary];
}

/** Makes a statement of a cluster's store fail until disposed. */
function failing({ dataDir }: TestCluster, statement: string): Disposable {
  const db = new DatabaseSync(join(dataDir, 'secrets-server.db'));
  db.exec(`CREATE TRIGGER fails ${statement} BEGIN SELECT raise(ABORT, 'it fails'); END`);
  return {
    [Symbol.dispose]() {
      db.exec('DROP TRIGGER fails');
      db.close();
    },
  };
}

const roleIsKept = "BEFORE INSERT ON replication_state WHEN NEW.name = 'role'";

test('a promotion that fails before its role is saved changes nothing, and incomplete records stay marked', async () => {
  const [primary, secondary] = await pair();
  const { epoch } = await statusOf(primary);
  await primary.admin.write('secret/data/a', { data: { n: 1 } });
  await caughtUp(primary, secondary);
  {
    using db = new DatabaseSync(join(secondary.dataDir, 'secrets-server.db'));
    db.exec("UPDATE cluster SET value = '0' WHERE name = 'replication_whole'");
    db.exec('DELETE FROM kv_key');
  }
  {
    // Fails when the new epoch has already marked the records as whole.
    const taken = "(SELECT value FROM cluster WHERE name = 'replication_whole') = '1'";
    using _ = failing(secondary, `${roleIsKept} AND ${taken}`);
    expect((await asks(secondary, 'secondary/promote', { force: true })).status).toBe(500);
  }
  expect(await statusOf(secondary)).toMatchObject({ mode: 'secondary', epoch });
  // The secondary reports that its records are not whole, so its primary sends a snapshot.
  await waitFor(secondary, { connection_state: 'ready', whole: true, epoch });
  expect((await secondary.admin.read('secret/data/a')).data).toMatchObject({ data: { n: 1 } });
  expect(await refusalOf(asks(secondary, 'secondary/promote', { force: true }))).toBe('');
});

test('a primary whose disabling fails keeps and serves its secondaries', async () => {
  const [primary, secondary] = await pair();
  const before = await statusOf(primary);
  for (const statement of ['BEFORE DELETE ON replication_secondary', roleIsKept]) {
    using _ = failing(primary, statement);
    expect((await asks(primary, 'primary/disable')).status).toBe(500);
    const { cluster_id, known_secondaries } = before;
    expect(await statusOf(primary)).toMatchObject({ mode: 'primary', cluster_id, known_secondaries });
  }
  expect(await refusalOf(primary.admin.write('secret/data/a', { data: { n: 1 } }))).toBe('');
  await caughtUp(primary, secondary);
  expect(await refusalOf(asks(primary, 'primary/disable'))).toBe('');
  using db = new DatabaseSync(join(primary.dataDir, 'secrets-server.db'));
  expect(db.prepare('SELECT count(*) AS count FROM replication_secondary').get()).toEqual({ count: 0 });
});

test("a completed change is not reported as failed if it can't be logged", async () => {
  const [primary] = await pair();
  using _ = failing(primary, 'BEFORE INSERT ON replication_event');
  const { status, body } = await asks(primary, 'primary/demote');
  expect([status, body['warnings']]).toEqual([
    200,
    [
      expect.stringMatching(/^This cluster was demoted/),
      "This change was made, but couldn't be recorded in the log of role changes. See the server's log.",
    ],
  ]);
  expect(await statusOf(primary)).toMatchObject({ mode: 'secondary', demoted: true });
  expect(await refusalOf(asks(primary, 'primary/demote'))).toBe(
    'this cluster is a secondary, and only a primary can do this',
  );
});
