import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listen } from '@gatehouse/service-kit/service';
import { afterEach, describe, expect, test } from 'vitest';
import { createService } from '../../app.ts';
import { clientOf } from '../../testing/client.ts';
import type { Client, Wire } from '../../testing/client.ts';
import { as } from '../../testing/people.ts';
import {
  activationOf,
  addSecondary,
  caughtUp,
  enablePrimary,
  refusalOf,
  replication,
  rootKeyOf,
  startCluster,
  startClusters,
  statusOf,
  waitFor,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';
import { quickReplication } from '../../testing/server.ts';

let opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened) await each[Symbol.asyncDispose]();
  opened = [];
});

async function alone(): Promise<TestCluster> {
  const cluster = await startCluster();
  opened.push(cluster);
  return cluster;
}

async function several(secondaries: number): Promise<readonly [TestCluster, ...TestCluster[]]> {
  const clusters = await startClusters(secondaries);
  opened.push(clusters);
  return [clusters.primary, ...clusters.secondaries];
}

const asks = ({ admin }: TestCluster, operation: string, body: Wire = {}) =>
  admin.write(`${replication}/${operation}`, body);
const refusal = (cluster: TestCluster, operation: string, body: Wire = {}) =>
  refusalOf(asks(cluster, operation, body));
const valueOf = async (client: Client, path: string): Promise<unknown> =>
  (await client.read(`secret/data/${path}`)).data['data'];

describe('a cluster without replication', () => {
  test('becomes a primary once, until it is disabled', async () => {
    const cluster = await alone();
    expect(await statusOf(cluster)).toEqual({ mode: 'disabled' });
    const enabled = await asks(cluster, 'primary/enable', {
      primary_cluster_addr: 'vault.example:8201',
      more: true,
    });
    expect([enabled.status, enabled.body['warnings']]).toEqual([
      200,
      [
        expect.stringMatching(/^This cluster was enabled as a primary\. .*vault\.example:8201/),
        'Endpoint ignored these unrecognized parameters: [more]',
      ],
    ]);
    const first = await statusOf(cluster);
    expect(first).toMatchObject({
      mode: 'primary',
      state: 'running',
      // Beginning an epoch adds an entry.
      last_wal: 1,
      known_secondaries: [],
      secondaries: [],
      primary_cluster_addr: 'https://vault.example:8201',
    });
    expect(await refusal(cluster, 'primary/enable')).toBe('this cluster is already a primary');
    expect((await asks(cluster, 'primary/disable')).status).toBe(200);
    expect(await statusOf(cluster)).toEqual({ mode: 'disabled' });
    await enablePrimary(cluster);
    expect((await statusOf(cluster))['cluster_id']).not.toBe(first['cluster_id']);
  });

  test('stays without replication when its cluster port is taken, and accepts writes', async () => {
    const taken = await listen((_, res) => res.end(), { host: '127.0.0.1', port: 0 });
    const cluster = await startCluster({ cluster: { host: '127.0.0.1', port: taken.port } });
    opened.push(cluster);
    expect(await refusal(cluster, 'primary/enable')).toMatch(
      /^the cluster port cannot be used: listen EADDRINUSE/,
    );
    await taken.drain(0);
    expect(await statusOf(cluster)).toEqual({ mode: 'disabled' });
    expect(await refusalOf(cluster.admin.write('secret/data/a', { data: {} }))).toBe('');
    expect(await refusal(cluster, 'primary/enable')).toBe('');
    expect(await statusOf(cluster)).toMatchObject({
      mode: 'primary',
      primary_cluster_addr: `https://127.0.0.1:${taken.port}`,
    });
  });

  test("can't be demoted, promoted, disabled or given a primary", async () => {
    const cluster = await alone();
    const notPrimary = 'replication is disabled on this cluster. Enable it as a primary first.';
    const notSecondary = 'replication is disabled on this cluster. Enable it as a secondary first.';
    for (const [operation, why] of [
      ['primary/demote', notPrimary],
      ['primary/disable', notPrimary],
      ['primary/secondary-token', notPrimary],
      ['primary/revoke-secondary', notPrimary],
      ['primary/paths-filter/x', notPrimary],
      ['canary', notPrimary],
      ['secondary/promote', notSecondary],
      ['secondary/disable', notSecondary],
      ['secondary/update-primary', notSecondary],
    ] as const) {
      expect([operation, await refusal(cluster, operation, { id: 'x', token: '' })]).toEqual([
        operation,
        why,
      ]);
    }
    expect(await refusal(cluster, 'secondary/enable')).toBe('missing token');
    expect(await refusal(cluster, 'primary/enable', { primary_cluster_addr: 'nowhere' })).toBe(
      'primary_cluster_addr is "nowhere": a cluster address is a host and a port, such as vault.example:8201',
    );
    expect((await cluster.admin.read(`${replication}/digest`)).status).toBe(400);
    expect(await statusOf(cluster)).toEqual({ mode: 'disabled' });
  });

  test('becomes a secondary, and its data and tokens are cleared', async () => {
    const [primary, other] = [await alone(), await alone()];
    await enablePrimary(primary);
    await primary.admin.write('secret/data/theirs', { data: { n: 1 } });
    await other.admin.write('secret/data/own', { data: { n: 2 } });
    await other.admin.write('sys/mounts/local', { type: 'kv', local: true });
    const { token } = other.admin;
    const enabled = await asks(other, 'secondary/enable', { token: await activationOf(primary, 'second') });
    expect(enabled.body['warnings']).toEqual([
      expect.stringMatching(/^This cluster was enabled as a secondary\. Its data and tokens were cleared/),
    ]);
    expect((await other.with(token ?? '').read('auth/token/lookup-self')).status).toBe(403);
    other.admin = await as(other, 'administrator');
    await caughtUp(primary, other);
    expect(await valueOf(other.admin, 'theirs')).toEqual({ n: 1 });
    expect(await valueOf(other.admin, 'own')).toBeUndefined();
    expect(Object.keys((await other.admin.read('sys/mounts')).data)).toEqual(['secret/', 'sys/']);
  });
});

describe('a primary', () => {
  test("can't become a secondary except by demotion", async () => {
    const [primary] = await several(0);
    const mustBeDemoted = 'this cluster is a primary. Demote it first.';
    expect(await refusal(primary, 'secondary/enable', { token: 'x' })).toBe(
      'this cluster is a primary. Disable it, or demote it and use secondary/update-primary',
    );
    for (const operation of ['secondary/promote', 'secondary/disable', 'secondary/update-primary']) {
      expect([operation, await refusal(primary, operation, { token: '' })]).toEqual([
        operation,
        mustBeDemoted,
      ]);
    }
    expect(await refusal(primary, 'secondary/generate-public-key')).toBe(
      'this cluster is a primary: only a cluster that is, or will become, a secondary has a public key',
    );
  });

  test('keeps its ID and data when demoted, refuses writes, and can be promoted back with its secondaries', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    const { cluster_id: id } = await statusOf(primary);
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    expect((await asks(primary, 'primary/demote')).body['warnings']).toEqual([
      expect.stringMatching(/^This cluster was demoted to a secondary without a primary\./),
    ]);
    expect(await statusOf(primary)).toMatchObject({
      mode: 'secondary',
      cluster_id: id,
      state: 'idle',
      connection_state: 'idle',
      primaries: [],
      known_primary_cluster_addrs: [],
      demoted: true,
    });
    const refused = await primary.admin.write('secret/data/a', { data: { n: 2 } });
    expect([refused.status, String(refused.body['errors'])]).toEqual([
      503,
      expect.stringMatching(/^this cluster is a secondary without a primary\. Nothing was changed/),
    ]);
    expect(await valueOf(primary.admin, 'a')).toEqual({ n: 1 });
    await waitFor(secondary, { primary_standing: 'demoted', lag_entries: 0 });
    expect(await refusalOf(secondary.admin.write('secret/data/a', { data: {} }))).toMatch(/was demoted/);

    expect(await refusal(primary, 'primary/demote')).toBe(
      'this cluster is a secondary, and only a primary can do this',
    );
    expect(await refusal(primary, 'primary/enable')).toBe(
      'this cluster is a secondary. Promote it instead of enabling it as a primary.',
    );
    expect(await refusal(primary, 'secondary/promote')).toBe('');
    expect(await statusOf(primary)).toMatchObject({ mode: 'primary', cluster_id: id });
    expect(await refusalOf(primary.admin.write('secret/data/a', { data: { n: 3 } }))).toBe('');
    await caughtUp(primary, secondary);
    expect(await valueOf(secondary.admin, 'a')).toEqual({ n: 3 });
  });

  test('disconnects its secondaries permanently when disabled', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    expect(await refusal(primary, 'primary/disable')).toBe('');
    await enablePrimary(primary);
    await waitFor(secondary, {
      connection_state: expect.stringMatching(/transient_failure|denied/) as unknown,
    });
    expect(await statusOf(primary)).toMatchObject({ known_secondaries: [] });
  });

  test('revokes a secondary, which needs another token to connect again', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    expect(await refusal(primary, 'primary/revoke-secondary', {})).toBe('missing id');
    expect(await refusal(primary, 'primary/revoke-secondary', { id: 'other' })).toBe('no secondary "other"');
    expect((await asks(primary, 'primary/revoke-secondary', { id: 'secondary-1' })).status).toBe(200);
    await waitFor(secondary, { connection_state: 'denied', state: 'idle' });
    expect(await statusOf(primary)).toMatchObject({ known_secondaries: [], secondaries: [] });
    // A new activation with the same name does not admit the revoked secondary.
    await activationOf(primary, 'secondary-1');
    const { primary_cluster_addr: address } = await statusOf(primary);
    expect(await refusal(secondary, 'secondary/update-primary', { update_primary_addrs: [address] })).toMatch(
      /^none of \S+ answered as this cluster's primary/,
    );
    expect(await refusal(primary, 'primary/revoke-secondary', { id: 'secondary-1' })).toBe('');
    const token = await activationOf(primary, 'secondary-1');
    expect(await refusal(secondary, 'secondary/update-primary', { token })).toBe('');
    await caughtUp(primary, secondary);
  });
});

describe('a secondary', () => {
  test("can't be enabled as a primary or again as a secondary", async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    expect(await refusal(secondary, 'primary/enable')).toBe(
      'this cluster is a secondary. Promote it instead of enabling it as a primary.',
    );
    const token = await activationOf(primary, 'again');
    expect(await refusal(secondary, 'secondary/enable', { token })).toBe(
      'this cluster is already a secondary. Use secondary/update-primary to change its primary.',
    );
    for (const operation of ['primary/demote', 'primary/disable', 'primary/secondary-token', 'canary']) {
      expect(await refusal(secondary, operation, { id: 'x' })).toBe(
        'this cluster is a secondary, and only a primary can do this',
      );
    }
  });

  test('is not promoted while its primary runs and refuses it, or without a primary', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    await refusal(primary, 'primary/revoke-secondary', { id: 'secondary-1' });
    await waitFor(secondary, { connection_state: 'denied' });
    expect(await refusal(secondary, 'secondary/promote')).toMatch(
      /^this secondary is not promoted: the primary at \S+ is running and refuses this cluster, and two primaries may lose data/,
    );
    expect(await refusal(secondary, 'secondary/update-primary', { token: '' })).toBe('');
    expect(await refusal(secondary, 'secondary/promote')).toMatch(/it follows no primary/);
    expect(await refusal(secondary, 'secondary/promote', { force: true })).toBe('');
  });

  test('stays a secondary with incomplete records when its forced promotion fails', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const primary = await alone();
    await enablePrimary(primary);
    const secondary = await startCluster({ cluster: { host: '127.0.0.1', port } });
    opened.push(secondary);
    await addSecondary(primary, secondary, 'berlin');
    const { epoch } = await statusOf(primary);
    using db = new DatabaseSync(join(secondary.dataDir, 'secrets-server.db'));
    db.exec("UPDATE cluster SET value = '0' WHERE name = 'replication_whole'");
    expect(await refusal(secondary, 'secondary/promote', { force: true })).toMatch(
      /^the cluster port cannot be used: listen EADDRINUSE/,
    );
    expect(await statusOf(secondary)).toMatchObject({ mode: 'secondary', epoch, whole: false });
    // The secondary follows its primary again, which sends a snapshot.
    await waitFor(secondary, { connection_state: 'ready', whole: true, epoch });
    taken.close();
    await once(taken, 'close');
    expect(await refusal(secondary, 'secondary/promote', { force: true })).toBe('');
  });

  test('is known by its latest activation and by its cluster ID', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    const { cluster_id: id } = await statusOf(secondary);
    const filter = `${replication}/primary/paths-filter/${String(id)}`;
    await primary.admin.write('sys/mounts/hidden', { type: 'kv' });
    await primary.admin.write(filter, { mode: 'deny', paths: ['hidden/'] });
    const token = await activationOf(primary, 'two');
    expect(await refusal(secondary, 'secondary/update-primary', { token })).toBe('');
    await waitFor(primary, {
      known_secondaries: ['two'],
      secondaries: [expect.objectContaining({ cluster_id: id, connection_status: 'connected' })],
    });
    await caughtUp(primary, secondary);
    expect((await secondary.admin.read('sys/mounts/hidden')).status).toBe(400);
    expect((await primary.admin.read(`${replication}/primary/paths-filter/two`)).status).toBe(200);
    expect((await asks(primary, 'primary/revoke-secondary', { id })).status).toBe(200);
    await waitFor(secondary, { connection_state: 'denied' });
    expect(await statusOf(primary)).toMatchObject({ known_secondaries: [] });
  });

  test('keeps its data when disabled', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    await caughtUp(primary, secondary);
    expect(await refusal(secondary, 'secondary/disable')).toBe('');
    expect(await statusOf(secondary)).toEqual({ mode: 'disabled' });
    expect(await valueOf(secondary.admin, 'a')).toEqual({ n: 1 });
    expect(await refusalOf(secondary.admin.write('secret/data/b', { data: {} }))).toBe('');
  });

  test('is not promoted beside a running primary without force', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    expect(await refusal(secondary, 'secondary/promote')).toMatch(
      /^this secondary is not promoted: the primary at \S+ is running, and two primaries may lose data. Demote it first\. Set "force" to promote it anyway\.$/,
    );
    const { cluster_id: id } = await statusOf(secondary);
    const promoted = await asks(secondary, 'secondary/promote', { force: true });
    expect([promoted.status, promoted.body['warnings']]).toEqual([
      200,
      [expect.stringMatching(/^This cluster was promoted to a primary\./)],
    ]);
    expect(await statusOf(secondary)).toMatchObject({ mode: 'primary', cluster_id: id });
    expect((await statusOf(primary))['mode']).toBe('primary');
  });

  test('swaps roles with its primary as planned; a third cluster follows, and no data is cleared', async () => {
    const [primary, second, third] = await several(2);
    if (second === undefined || third === undefined) throw new Error('no secondaries');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    expect(await refusal(primary, 'primary/paths-filter/later', { mode: 'deny', paths: ['secret'] })).toBe(
      '',
    );
    expect(await refusal(primary, 'primary/demote')).toBe('');
    const last = (await statusOf(primary))['last_remote_wal'];
    await waitFor(second, { last_remote_wal: last });
    expect(await refusal(second, 'secondary/promote', { primary_cluster_addr: '' })).toBe('');
    for (const [index, other] of [primary, third].entries()) {
      const token = await activationOf(second, `follower-${index}`);
      const { token: own } = other.admin;
      expect(await refusal(other, 'secondary/update-primary', { token })).toBe('');
      expect((await other.with(own ?? '').read('auth/token/lookup-self')).status).toBe(200);
    }
    await second.admin.write('secret/data/a', { data: { n: 2 } });
    for (const other of [primary, third]) {
      await caughtUp(second, other);
      expect(await valueOf(other.admin, 'a')).toEqual({ n: 2 });
      expect((await other.admin.read(`${replication}/lost`)).data).toEqual({ total: 0, lost: [] });
    }
    expect(await statusOf(primary)).toMatchObject({ mode: 'secondary', demoted: false });

    // Filters from its earlier time as primary are gone, because they belonged to other secondaries.
    expect(await refusal(second, 'primary/demote')).toBe('');
    await waitFor(primary, { last_remote_wal: (await statusOf(second))['last_remote_wal'] });
    expect(await refusal(primary, 'secondary/promote')).toBe('');
    expect((await primary.admin.read(`${replication}/primary/paths-filter/later`)).status).toBe(404);
  });

  test("prevents the demoted primary's promotion once it was promoted itself", async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    expect(await refusal(primary, 'primary/demote')).toBe('');
    await waitFor(secondary, { last_remote_wal: (await statusOf(primary))['last_remote_wal'] });
    expect(await refusal(secondary, 'secondary/promote')).toBe('');
    await waitFor(primary, {
      secondaries: [expect.objectContaining({ connection_status: 'disconnected' })],
    });
    expect(await refusal(primary, 'secondary/promote')).toMatch(
      /its secondary secondary-1 is disconnected and may have been promoted/,
    );
    expect(await statusOf(primary)).toMatchObject({ mode: 'secondary', demoted: true });
  });

  test('is not promoted at the same moment as the demoted primary', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    await caughtUp(primary, secondary);
    expect(await refusal(primary, 'primary/demote')).toBe('');
    await waitFor(secondary, { last_remote_wal: (await statusOf(primary))['last_remote_wal'] });
    const answers = await Promise.all([primary, secondary].map((each) => refusal(each, 'secondary/promote')));
    const modes = await Promise.all([primary, secondary].map(async (each) => (await statusOf(each))['mode']));
    expect(modes).toEqual(answers.map((why) => (why === '' ? 'primary' : 'secondary')));
    expect(modes).toContain('secondary');
    for (const why of answers) if (why !== '') expect(why).toMatch(/try again|Demote it first/i);
  });

  test('is not promoted after another one, which the demoted primary has agreed to', async () => {
    const [primary, second, third] = await several(2);
    if (second === undefined || third === undefined) throw new Error('no secondaries');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    expect(await refusal(primary, 'primary/demote')).toBe('');
    const last = (await statusOf(primary))['last_remote_wal'];
    for (const each of [second, third]) await waitFor(each, { last_remote_wal: last });
    const answers = await Promise.all([second, third].map((each) => refusal(each, 'secondary/promote')));
    const modes = await Promise.all([second, third].map(async (each) => (await statusOf(each))['mode']));
    expect(modes).toEqual(answers.map((why) => (why === '' ? 'primary' : 'secondary')));
    expect(modes.filter((mode) => mode === 'primary')).toHaveLength(1);
    const [winner, loser] = modes[0] === 'primary' ? [second, third] : [third, second];
    await waitFor(loser, { connection_state: 'ready' });
    expect(await refusal(loser, 'secondary/promote')).toMatch(/agreed to the promotion of another secondary/);
    const token = await activationOf(winner, 'loser');
    expect(await refusal(loser, 'secondary/update-primary', { token })).toBe('');
    await caughtUp(winner, loser);
  });

  test('is promoted when its primary is gone, with a warning about the age of the last heartbeat', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    await caughtUp(primary, secondary);
    await waitFor(secondary, { lag_entries: 0, primary_last_wal: (await statusOf(primary))['last_wal'] });
    await primary.admin.write('sys/seal');
    await waitFor(secondary, { connection_state: 'transient_failure' });
    // The last heartbeat's data is stored, and outlasts the process.
    await restart(secondary);
    secondary.clock.advance(180_000);
    const promoted = await asks(secondary, 'secondary/promote');
    expect([promoted.status, promoted.body['warnings'] ?? promoted.body['errors']]).toEqual([
      200,
      [
        expect.stringMatching(/^This cluster was promoted/),
        expect.stringMatching(/^The primary doesn't respond\. .* 3 minutes ago/),
      ],
    ]);
  });

  test('can forget its primary, stays a secondary, and can be given a primary again', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    expect(await refusal(secondary, 'secondary/update-primary')).toMatch(/^missing token/);
    expect(
      await refusal(secondary, 'secondary/update-primary', { token: 'x', update_primary_addrs: ['a:1'] }),
    ).toBe('token and update_primary_addrs cannot be used together');
    expect(await refusal(secondary, 'secondary/update-primary', { token: '' })).toBe('');
    expect(await statusOf(secondary)).toMatchObject({
      mode: 'secondary',
      connection_state: 'idle',
      primaries: [],
      secondary_id: '',
      demoted: false,
    });
    expect(await refusal(secondary, 'secondary/update-primary', { update_primary_addrs: ['a:1'] })).toMatch(
      /^this cluster has no primary whose addresses/,
    );
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    const token = await activationOf(primary, 'again');
    expect(await refusal(secondary, 'secondary/update-primary', { token })).toBe('');
    await caughtUp(primary, secondary);
    expect(await valueOf(secondary.admin, 'a')).toEqual({ n: 1 });
  });

  test('accepts other addresses of its primary, and uses the first that answers', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    const { primary_cluster_addr: address } = await statusOf(primary);
    const nobody = '127.0.0.1:1';
    expect(
      await refusal(secondary, 'secondary/update-primary', { update_primary_addrs: [nobody, 'localhost:1'] }),
    ).toBe(`none of ${nobody}, localhost:1 answered as this cluster's primary. Nothing was changed.`);
    const other = String(address).replace('https://127.0.0.1', 'localhost');
    const answer = await asks(secondary, 'secondary/update-primary', {
      update_primary_addrs: [nobody, other, String(address)],
    });
    expect(answer.body['warnings']).toEqual([`This cluster's primary is now at ${other}.`]);
    expect(await statusOf(secondary)).toMatchObject({ known_primary_cluster_addrs: [`https://${other}`] });
    await caughtUp(primary, secondary);
    const many = Array.from({ length: 17 }, (_each, n) => `127.0.0.1:${n + 1}`);
    expect(await refusal(secondary, 'secondary/update-primary', { update_primary_addrs: many })).toBe(
      'update_primary_addrs has more than 16 addresses',
    );
  });
});

test('each transition is logged with its outcome', async () => {
  const cluster = await alone();
  await refusal(cluster, 'primary/demote');
  await refusal(cluster, 'primary/enable');
  const { transitions } = (await cluster.admin.read(`${replication}/transitions`)).data;
  expect(transitions).toEqual([
    {
      id: 2,
      time: '2026-01-01T00:00:00.000000000Z',
      operation: 'primary/enable',
      by: 'userpass-admin',
      from: 'disabled',
      to: 'primary',
      outcome: 'done',
      warnings: [expect.stringContaining('enabled as a primary')],
      why: '',
    },
    {
      id: 1,
      time: '2026-01-01T00:00:00.000000000Z',
      operation: 'primary/demote',
      by: 'userpass-admin',
      from: 'disabled',
      to: 'disabled',
      outcome: 'refused',
      warnings: [],
      why: 'replication is disabled on this cluster. Enable it as a primary first.',
    },
  ]);
});

describe('a role', () => {
  test('ends while sealed, and resumes afterwards', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    for (const sealed of [secondary, primary]) {
      expect((await sealed.admin.write('sys/seal')).status).toBe(204);
      expect((await sealed.anonymous.read(`${replication}/status`)).status).toBe(503);
      expect((await sealed.anonymous.read('sys/health')).body).toMatchObject({
        replication_performance_mode: 'unknown',
        replication_primary_canary_age_ms: null,
      });
      if (sealed === primary) await waitFor(secondary, { connection_state: 'transient_failure' });
      else
        await waitFor(primary, {
          secondaries: [expect.objectContaining({ connection_status: 'disconnected' })],
        });
      expect((await sealed.anonymous.write('sys/unseal', { key: rootKeyOf(sealed) })).status).toBe(200);
      await primary.admin.write('secret/data/a', { data: { sealed: sealed === primary } });
      await caughtUp(primary, secondary);
    }
    expect(await valueOf(secondary.admin, 'a')).toEqual({ sealed: true });
    expect((await secondary.anonymous.read('sys/health')).body).toMatchObject({
      replication_performance_mode: 'secondary',
      replication_primary_canary_age_ms: 0,
    });
  });

  test('ends at once on sealing, even during a transition', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    const asked = Promise.withResolvers<void>();
    const silent = await listen(() => asked.resolve(), { host: '127.0.0.1', port: 0 });
    const token = await activationOf(primary, 'again');
    const updating = refusal(secondary, 'secondary/update-primary', {
      token,
      primary_api_addr: silent.address,
    });
    await asked.promise;
    let isUpdated = false;
    void updating.finally(() => (isUpdated = true));
    expect((await secondary.admin.write('sys/seal')).status).toBe(204);
    await waitFor(primary, {
      secondaries: expect.arrayContaining([
        expect.objectContaining({ node_id: 'secondary-1', connection_status: 'disconnected' }),
      ]) as unknown,
    });
    expect(isUpdated).toBe(false);
    await silent.drain(0);
    expect(await updating).not.toBe('');
    expect((await secondary.anonymous.write('sys/unseal', { key: rootKeyOf(secondary) })).status).toBe(200);
    await caughtUp(primary, secondary);
  });

  test('resumes after a restart, at the same cluster port', async () => {
    const [primary, secondary] = await several(1);
    if (secondary === undefined) throw new Error('no secondary');
    const { epoch } = await statusOf(primary);
    await restart(primary);
    await restart(secondary);
    await primary.admin.write('secret/data/a', { data: { n: 1 } });
    await caughtUp(primary, secondary);
    // Each start begins an epoch, because the stored data may be from a backup.
    expect((await statusOf(primary))['epoch']).not.toBe(epoch);
    expect(await valueOf(secondary.admin, 'a')).toEqual({ n: 1 });
    expect(await refusalOf(secondary.admin.write('secret/data/a', { data: { n: 2 } }))).toBe('');
    expect(await valueOf(primary.admin, 'a')).toEqual({ n: 2 });
  });
});

/** Stops a server and starts another with the same data. */
async function restart(cluster: TestCluster): Promise<void> {
  await cluster.service.close();
  const { accounts, dataDir, clock } = cluster;
  const service = await createService({ accounts, dataDir, clock, replicationTimes: quickReplication });
  const again = await listen(service, { host: '127.0.0.1', port: 0 });
  opened.unshift({
    async [Symbol.asyncDispose]() {
      await again.drain(0);
      await service.close();
    },
  });
  cluster.admin = clientOf(again.address, cluster.admin.token);
}
