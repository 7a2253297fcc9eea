import { requireInFirstWrite, writeFor } from '@gatehouse/service-kit/write-queue';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkProxy } from '#testing/link-proxy.ts';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import type { Request } from '../../core/backend.ts';
import type { Client, Wire, WireAnswer } from '../../testing/client.ts';
import { tokenWith } from '../../testing/people.ts';
import {
  activationOf,
  caughtUp,
  enablePrimary,
  refusalOf,
  replication,
  startCluster,
  startClusters,
  statusOf,
  waitFor,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';
import { unwrapActivation } from '../activation/unwrap.ts';
import { patienceOf } from '../link/patience.ts';
import { forwarderOf } from './forwarding.ts';

let clusters: Awaited<ReturnType<typeof startClusters>>;
let primary: TestCluster;
let secondary: TestCluster;
let near: Client;
let far: Client;
beforeAll(async () => {
  clusters = await startClusters(1);
  ({ primary } = clusters);
  const [first] = clusters.secondaries;
  if (first === undefined) throw new Error('no secondary');
  secondary = first;
  [near, far] = [secondary.admin, primary.admin];
});
afterAll(() => clusters[Symbol.asyncDispose]());

/** The comparable part of an answer. */
const told = ({ status, body }: WireAnswer): unknown => {
  const { request_id: _, ...rest } = body;
  return [status, rest];
};

describe('a write of shared records on a secondary', () => {
  test('is answered by the primary as usual, and can be read here at once', async () => {
    const written = await near.write('secret/data/a', { data: { n: 1 }, more: 1 });
    expect([written.status, written.data]).toEqual([
      200,
      expect.objectContaining({ version: 1, created_time: '2026-01-01T00:00:00.000000000Z' }),
    ]);
    expect(written.body['warnings']).toEqual(['Endpoint ignored these unrecognized parameters: [more]']);
    expect(written.headers.get('cache-control')).toBe('no-store');
    expect((await near.read('secret/data/a')).data['data']).toEqual({ n: 1 });
    expect((await far.read('secret/data/a')).data['data']).toEqual({ n: 1 });
  });

  test("works for every kind of record, and is refused with the primary's reason", async () => {
    for (const [method, path, body] of [
      ['POST', 'secret/config', { max_versions: 7 }],
      ['POST', 'secret/data/b', { data: { n: 1 } }],
      ['PUT', 'secret/data/b', { data: { n: 2 } }],
      ['DELETE', 'secret/data/b', undefined],
      ['POST', 'secret/undelete/b', { versions: [2] }],
      ['POST', 'secret/delete/b', { versions: [1] }],
      ['PUT', 'secret/destroy/b', { versions: [1] }],
      ['POST', 'secret/metadata/b', { custom_metadata: { owner: 'ü' } }],
      ['POST', 'secret/data/with%2520%25', { data: {} }],
      ['DELETE', 'secret/metadata/with%2520%25', undefined],
      ['POST', 'sys/mounts/clouds', { type: 'cloud' }],
      ['POST', 'sys/mounts/clouds/tune', { description: 'ours' }],
      ['POST', 'clouds/config/root', { access_key: 'a', secret_key: 'b' }],
      ['POST', 'clouds/config/lease', { lease: '1m', lease_max: '2m' }],
      ['POST', 'clouds/roles/r', { credential_type: 'iam_user', policy_arns: 'arn:aws:iam::aws:policy/x' }],
      ['DELETE', 'clouds/roles/r', undefined],
      ['DELETE', 'sys/mounts/clouds', undefined],
      ['POST', 'sys/policies/acl/p', { policy: 'path "a" { capabilities = ["read"] }' }],
      ['DELETE', 'sys/policies/acl/p', undefined],
      ['POST', 'sys/policy/p', { policy: 'path "a" { capabilities = ["read"] }' }],
      ['POST', 'sys/namespaces/team', { custom_metadata: { a: 'b' } }],
      ['POST', 'sys/plugins/catalog/secret/x', { command: 'x', sha256: 'ab', version: 'v1.0.0' }],
      ['POST', 'sys/plugins/pins/secret/x', { version: 'v1.0.0' }],
      ['DELETE', 'sys/plugins/pins/secret/x', undefined],
      ['DELETE', 'sys/plugins/catalog/secret/x?version=v1.0.0', undefined],
    ] as const) {
      const answer = await near.send(method, path, body);
      expect([method, path, answer.status < 300 || answer.text]).toEqual([method, path, true]);
    }
    expect((await near.patch('secret/data/b', { data: { m: 3 } })).status).toBe(200);
    expect((await near.patch('secret/metadata/b', { custom_metadata: { more: 'x' } })).status).toBe(204);
    expect((await near.patch('sys/namespaces/team', { custom_metadata: { c: 'd' } })).status).toBe(200);
    for (const client of [near, far]) {
      expect((await client.read('secret/data/b')).data).toMatchObject({
        data: { n: 2, m: 3 },
        metadata: { version: 3, custom_metadata: { owner: 'ü', more: 'x' } },
      });
      expect((await client.read('secret/config')).data['max_versions']).toBe(7);
      expect((await client.read('sys/namespaces/team')).data['custom_metadata']).toEqual({ a: 'b', c: 'd' });
      expect((await client.list('secret/metadata/')).data['keys']).toEqual(['a', 'b']);
      expect((await client.read('sys/policy/p')).status).toBe(200);
      expect((await client.read('sys/mounts/clouds')).status).toBe(400);
    }
    for (const [method, path, body] of [
      ['POST', 'secret/data/b', { data: {}, options: { cas: 1 } }],
      ['POST', 'sys/mounts/secret', { type: 'kv' }],
      ['POST', 'sys/policies/acl/root', { policy: 'x' }],
      ['DELETE', 'sys/mounts/sys', undefined],
      ['POST', 'secret/destroy/b', {}],
    ] as const) {
      expect(told(await near.send(method, path, body))).toEqual(told(await far.send(method, path, body)));
    }
  });

  test("is authorized by the caller's policies on both clusters", async () => {
    await near.write('sys/policies/acl/writer', {
      policy: 'path "secret/data/own/*" { capabilities = ["create", "read"] }',
    });
    const writer = secondary.with(await tokenWith(near, { policies: ['writer'] }));
    expect((await writer.write('secret/data/own/a', { data: {} })).status).toBe(200);
    // The secret exists now, and the caller may not update.
    expect((await writer.write('secret/data/own/a', { data: {} })).status).toBe(403);
    expect((await writer.write('secret/data/a', { data: {} })).status).toBe(403);
    expect((await secondary.anonymous.write('secret/data/own/b', { data: {} })).status).toBe(403);
    expect((await writer.write('sys/policies/acl/writer', { policy: 'x' })).status).toBe(403);
  });

  test('works in a namespace with a token of the root namespace and its policies', async () => {
    await near.write('sys/namespaces/ns');
    await near.write('sys/policies/acl/ns-writer', {
      policy:
        'path "ns/sys/mounts/kv" { capabilities = ["update"] }\npath "ns/kv/data/*" { capabilities = ["create"] }',
    });
    const writer = secondary.with(await tokenWith(near, { policies: ['ns-writer'] }));
    const inside = { 'x-vault-namespace': 'ns' };
    expect((await writer.send('POST', 'sys/mounts/kv', { type: 'kv' }, inside)).status).toBe(204);
    expect((await writer.send('POST', 'ns/kv/data/a', { data: { n: 1 } })).status).toBe(200);
    expect((await writer.send('POST', 'ns/kv/data/a', { data: { n: 2 } })).status).toBe(403);
    expect((await far.read('ns/kv/data/a')).data['data']).toEqual({ n: 1 });
  });

  test('is wrapped by the secondary on request, and satisfies a policy that requires wrapping', async () => {
    await near.write('sys/policies/acl/wrapped', {
      policy: 'path "secret/data/wrapped" { capabilities = ["create", "update"] min_wrapping_ttl = "10s" }',
    });
    const writer = secondary.with(await tokenWith(near, { policies: ['wrapped'] }));
    const body = { data: { n: 1 } };
    expect((await writer.write('secret/data/wrapped', body)).status).toBe(403);
    const answer = await writer.send('POST', 'secret/data/wrapped', body, { 'x-vault-wrap-ttl': '60s' });
    const { token } = answer.body['wrap_info'] as { readonly token: string };
    expect((await primary.with(token).write('sys/wrapping/unwrap')).status).toBe(400);
    expect((await secondary.with(token).write('sys/wrapping/unwrap')).data).toMatchObject({ version: 1 });
  });
});

const role = {
  mode: 'secondary',
  clusterId: '',
  digestKey: '',
  primaryApiAddress: '',
  filterHash: '',
} as const;
const request: Partial<Request> = {
  namespace: '',
  operation: 'update',
  fullPath: 'secret/data/a',
  query: new URLSearchParams(),
};

describe("one user's forwarded writes", () => {
  /** Sends writes of a user and then one of another user, and answers them when that one has arrived. */
  const flooding = async (count: number, body: string) => {
    const release = Promise.withResolvers<void>();
    const arrived: string[] = [];
    await using somewhere = await openPrimary({
      async forward(_secondary, { owner = '' }) {
        arrived.push(owner);
        await release.promise;
        return { status: 204, headers: {}, body: '' };
      },
    });
    await using following = await openSecondary(await somewhere.activate('berlin'));
    await expect.poll(() => following.following.state().sync).toBe('stream');
    const forwarder = forwarderOf({ role, following: following.following });
    const passBy = (name: string, text: string): Promise<unknown> => {
      const caller = { accessor: '', namespace: '', displayName: 'token-x', policies: [] };
      return writeFor(
        () => ({ name, isKnown: true }),
        () => forwarder.pass({ ...request, caller } as Request, text),
      );
    };
    const passed = Promise.allSettled([
      ...Array.from({ length: count }, () => passBy('ada', body)),
      passBy('eve', body),
    ]);
    await expect.poll(() => arrived).toContain('eve');
    const atOnce = arrived.length;
    release.resolve();
    const statuses = (await passed).map(({ status }) => status);
    return { atOnce, fulfilled: statuses.filter((status) => status === 'fulfilled').length };
  };

  test("take a few of the connection's calls, and leave the others to others", async () => {
    expect(await flooding(100, '{}')).toEqual({ atOnce: 13, fulfilled: 101 });
  });

  test('are two at a time if they are long', async () => {
    expect(await flooding(30, 'x'.repeat(100_000))).toEqual({ atOnce: 3, fulfilled: 31 });
  });
});

test('a write whose sender loses the right to it while it waits for its turn is not forwarded', async () => {
  const release = Promise.withResolvers<void>();
  let arrived = 0;
  await using somewhere = await openPrimary({
    async forward() {
      arrived += 1;
      await release.promise;
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using following = await openSecondary(await somewhere.activate('berlin'));
  await expect.poll(() => following.following.state().sync).toBe('stream');
  const forwarder = forwarderOf({ role, following: following.following });
  let isAllowed = true;
  const passed = Promise.allSettled(
    Array.from({ length: 20 }, () =>
      writeFor(
        () => ({ name: 'ada', isKnown: true }),
        () => {
          requireInFirstWrite(() => {
            if (!isAllowed) throw new Error('not allowed any more');
          });
          return forwarder.pass(request as Request, '{}');
        },
      ),
    ),
  );
  await expect.poll(() => arrived).toBe(12);
  isAllowed = false;
  release.resolve();
  expect((await passed).filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(arrived).toBe(12);
});

test('a forwarded write with an unknown outcome is not reported as refused', async () => {
  await using relay = await linkProxy(() => somewhere.serving.port);
  await using somewhere = await openPrimary({
    async forward() {
      relay.drop();
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using following = await openSecondary(await somewhere.activate('berlin', relay.address));
  await expect.poll(() => following.following.state().sync).toBe('stream');
  const passed = forwarderOf({ role, following: following.following }).pass(request as Request, '{}');
  await expect(passed).rejects.toMatchObject({
    status: 504,
    headers: {},
    message: expect.stringMatching(/Check whether it was written before you try again\.$/) as unknown,
  });
});

test('filters saved at the same time are all kept', async () => {
  const ids = ['a', 'b', 'c', 'constructor'];
  const filter = (id: string): string => `${replication}/primary/paths-filter/${id}`;
  expect((await far.read(filter('constructor'))).status).toBe(404);
  await Promise.all(ids.map((id) => far.write(filter(id), { mode: 'deny', paths: [id] })));
  const kept = await Promise.all(ids.map(async (id) => (await far.read(filter(id))).data['paths']));
  expect(kept).toEqual(ids.map((id) => [`${id}/`]));
  const local = await far.write(filter('a'), { mode: 'deny', paths: ['auth/userpass'] });
  expect(local.body['warnings']).toEqual([
    "No secondary receives auth/userpass/: local mounts aren't replicated.",
  ]);
  await Promise.all(ids.map((id) => far.delete(filter(id))));
});

test('only writes of shared records in received places can be forwarded with an activation', async () => {
  const token = await activationOf(primary, 'somebody');
  const credentials = await unwrapActivation(
    primary.url,
    token,
    { authorities: [], from: '' },
    patienceOf(10_000, 10_000),
  );
  await using somebody = await openSecondary(credentials);
  await expect.poll(() => somebody.following.state().sync).toBe('stream');
  const forward = async (method: string, path: string, policies: readonly string[], body = '{}') => {
    const answer = await somebody.following.forward({
      namespace: '',
      method,
      path,
      body,
      contentType: 'application/json',
      policies,
      displayName: 'somebody',
      callerNamespace: '',
      wrapTtl: 0,
    });
    return [answer.status, answer.body === '' ? '' : (JSON.parse(answer.body) as Wire)['errors']];
  };
  for (const [method, path] of [
    ['POST', 'auth/token/create'],
    ['POST', 'sys/seal'],
    ['POST', `${replication}/primary/demote`],
    ['POST', `${replication}/primary/secondary-token`],
    ['GET', 'secret/data/a'],
    ['LIST', 'secret/metadata/'],
    ['GET', 'sys/mounts'],
  ] as const) {
    expect([path, await forward(method, path, ['root'])]).toEqual([path, [405, ['unsupported operation']]]);
  }
  expect(await forward('POST', 'secret/data/passed', ['default'], '{"data":{}}')).toEqual([
    403,
    ['permission denied'],
  ]);
  expect(await forward('POST', '../secret/data/passed', ['root'], '{"data":{}}')).toEqual([
    400,
    ['relative paths not supported'],
  ]);
  expect(await forward('POST', 'secret/data/passed', ['root'], '{"data":{}}')).toEqual([200, undefined]);

  // The filter applies to writes, too.
  await far.write('sys/namespaces/apart');
  await far.send('POST', 'sys/mounts/kv', { type: 'kv' }, { 'x-vault-namespace': 'apart' });
  const filter = `${replication}/primary/paths-filter/somebody`;
  await far.write(filter, { mode: 'deny', paths: ['secret/', 'apart/'] });
  await expect.poll(() => somebody.told.filters.at(-1)?.[0]?.mode).toBe('deny');
  await expect.poll(() => somebody.following.state().sync).toBe('stream');
  for (const [method, path, status] of [
    ['POST', 'secret/data/passed', 404],
    ['POST', 'apart/kv/data/a', 404],
    ['POST', 'apart/sys/mounts/more', 404],
    ['DELETE', 'sys/mounts/secret', 403],
    ['POST', 'sys/mounts/secret/tune', 403],
    ['DELETE', 'sys/namespaces/apart', 403],
    ['POST', 'sys/mounts/received', 200],
  ] as const) {
    const [answered] = await forward(method, path, ['root'], '{"data":{},"type":"kv"}');
    expect([method, path, answered]).toEqual([method, path, status]);
  }
  await far.delete('sys/mounts/received');
  await far.delete('sys/namespaces/apart');
  await far.delete(filter);
  await far.write(`${replication}/primary/revoke-secondary`, { id: 'somebody' });
});

describe('data that is not replicated', () => {
  test('belongs to the cluster that was asked: tokens, capabilities, wrapping, sealing keys', async () => {
    const token = await tokenWith(near, { policies: ['default'] });
    expect((await secondary.with(token).read('auth/token/lookup-self')).status).toBe(200);
    expect((await primary.with(token).read('auth/token/lookup-self')).status).toBe(403);
    const { last_wal: before } = await statusOf(primary);
    expect((await near.write('sys/rotate')).status).toBe(204);
    expect((await near.write('sys/capabilities-self', { paths: ['secret/data/a'] })).status).toBe(200);
    expect((await near.read('sys/key-status')).data['term']).toBe(2);
    expect((await far.read('sys/key-status')).data['term']).toBe(1);
    expect((await statusOf(primary))['last_wal']).toBe(before);
  });

  test('includes local mounts: either cluster can create them, only that cluster has them, and writes need no primary', async () => {
    expect((await near.write('sys/mounts/near', { type: 'kv', local: true })).status).toBe(204);
    expect((await far.write('sys/mounts/far', { type: 'kv', local: true })).status).toBe(204);
    expect((await near.write('sys/mounts/both', { type: 'kv' })).status).toBe(204);
    await near.write('near/data/a', { data: { n: 1 } });
    await far.write('far/data/a', { data: { n: 1 } });
    await caughtUp(primary, secondary);
    const mountsOf = async (client: Client) =>
      Object.entries((await client.read('sys/mounts')).data)
        .map(([path, mount]) => [path, (mount as { readonly local: boolean }).local])
        .filter(([path]) => ['near/', 'far/', 'both/'].includes(String(path)));
    expect(await mountsOf(near)).toEqual([
      ['both/', false],
      ['near/', true],
    ]);
    expect(await mountsOf(far)).toEqual([
      ['both/', false],
      ['far/', true],
    ]);
    expect((await near.write('sys/mounts/near/tune', { description: 'own' })).status).toBe(204);
    expect((await near.read('sys/mounts/near')).data['description']).toBe('own');
    expect(await refusalOf(near.write('sys/mounts/both', { type: 'kv', local: true }))).toBe(
      'path is already in use at both/',
    );
    expect((await near.read('near/data/a')).data['data']).toEqual({ n: 1 });
    expect((await near.delete('sys/mounts/near')).status).toBe(204);
    expect((await near.delete('sys/mounts/both')).status).toBe(204);
    expect(await mountsOf(near)).toEqual([]);
    expect(await mountsOf(far)).toEqual([['far/', true]]);
  });
});

test('a filter excludes mounts and namespaces from a secondary, and both clusters list them', async () => {
  await near.write('sys/namespaces/kept');
  await near.write('sys/mounts/hidden', { type: 'kv' });
  await near.write('hidden/data/a', { data: { n: 1 } });
  const id = String((await statusOf(secondary))['cluster_id']);
  const paths = `${replication}/primary/paths-filter`;
  expect((await far.read(`${paths}/${id}`)).status).toBe(404);
  expect(await refusalOf(far.write(`${paths}/${id}`, { mode: 'some', paths: [] }))).toBe(
    'mode is "some": it must be allow or deny',
  );
  const saved = await far.write(`${paths}/${id}`, {
    mode: 'deny',
    paths: ['/hidden', 'kept/', 'nowhere', 'sys'],
  });
  expect([saved.status, saved.body['warnings']]).toEqual([
    200,
    [
      'No filter concerns sys/: policies, plugins and settings are replicated to every secondary.',
      'No mount or namespace exists at nowhere/ yet.',
    ],
  ]);
  for (const name of [id, 'secondary-1']) {
    expect((await far.read(`${paths}/${name}`)).data).toEqual({
      mode: 'deny',
      paths: ['hidden/', 'kept/', 'nowhere/', 'sys/'],
    });
  }
  await expect.poll(async () => (await near.read('sys/mounts/hidden')).status).toBe(400);
  expect((await near.read('hidden/data/a')).status).toBe(404);
  expect((await near.read('sys/namespaces/kept')).status).toBe(404);
  await caughtUp(primary, secondary);
  const comesTo = { dynamic_filtered_mounts: ['hidden/'], dynamic_filtered_namespaces: ['kept/'] };
  expect((await far.read(`${replication}/primary/dynamic-filter/${id}`)).data).toEqual(comesTo);
  expect((await near.read(`${replication}/secondary/dynamic-filter/${id}`)).data).toEqual(comesTo);
  expect((await near.read(`${replication}/secondary/dynamic-filter/other`)).status).toBe(400);
  expect((await far.read(`${replication}/secondary/dynamic-filter/${id}`)).status).toBe(400);
  expect((await near.read(`${paths}/${id}`)).status).toBe(400);

  const digest = async (client: Client, query = '') =>
    (await client.read(`${replication}/digest${query}`)).data['digest'];
  expect(await digest(near)).toBe(await digest(far, `?secondary=${id}`));
  expect(await digest(near)).not.toBe(await digest(far));
  expect(await refusalOf(near.write(`${replication}/secondary/promote`))).toMatch(
    /a paths filter excludes some mounts and namespaces from this cluster/,
  );

  expect((await far.delete(`${paths}/${id}`)).status).toBe(204);
  await expect.poll(async () => (await near.read('hidden/data/a')).data['data']).toEqual({ n: 1 });
  await caughtUp(primary, secondary);
  expect(await digest(near)).toBe(await digest(far));
  expect((await far.write(`${paths}/${id}`, { paths: ['secret'] })).status).toBe(204);
  await expect.poll(async () => (await near.read('hidden/data/a')).status).toBe(404);
  expect((await near.read('secret/data/a')).status).toBe(200);
  await far.delete(`${paths}/${id}`);
});

test.each([
  [
    'excluded by a filter',
    {},
    'a paths filter excludes crew/own/ from this cluster. Change it at the primary.',
  ],
  [
    'local to the primary',
    { local: true },
    'crew/own/ is local to the primary, and would be deleted. Delete it there first.',
  ],
])('a secondary does not delete a namespace with a mount that is %s', async (_, settings, refusal) => {
  const filter = `${replication}/primary/paths-filter/secondary-1`;
  /** The secondary starts over with each filter, and until it does it counts as caught up. */
  const filtered = async (isExcluded: boolean): Promise<void> => {
    await expect.poll(async () => (await near.read('secret/config')).status).toBe(isExcluded ? 404 : 200);
    await caughtUp(primary, secondary);
  };
  await far.write('sys/namespaces/crew');
  await far.write('crew/sys/mounts/own', { type: 'kv', ...settings });
  await far.write('crew/own/data/a', { data: { n: 1 } });
  await far.write(filter, { mode: 'deny', paths: ['crew/own', 'secret'] });
  await filtered(true);
  expect(await refusalOf(near.delete('sys/namespaces/crew'))).toBe(refusal);
  expect((await far.read('crew/own/data/a')).data['data']).toEqual({ n: 1 });
  expect((await near.write('sys/namespaces/crew', { custom_metadata: { a: 'b' } })).status).toBe(200);
  expect((await far.delete('crew/sys/mounts/own')).status).toBe(204);
  await caughtUp(primary, secondary);
  expect((await near.delete('sys/namespaces/crew')).status).toBe(200);
  expect((await far.read('sys/namespaces/crew')).status).toBe(404);
  await far.delete(filter);
  await filtered(false);
});

test('a canary is an entry without records that arrives at the secondary', async () => {
  const { last_wal: before } = await statusOf(primary);
  expect((await far.write(`${replication}/canary`)).data).toEqual({ seq: Number(before) + 1 });
  await waitFor(secondary, { last_remote_wal: Number(before) + 1, lag_entries: 0 });
});

test('the public status has the usual fields, and the status for tokens has more', async () => {
  await caughtUp(primary, secondary);
  await waitFor(primary, { secondaries: [expect.objectContaining({ lag_entries: 0 })] });
  const ofPrimary = (await primary.anonymous.read(`${replication}/status`)).data;
  const ofSecondary = (await secondary.anonymous.read(`${replication}/status`)).data;
  const address = ofPrimary['primary_cluster_addr'];
  const time = expect.stringMatching(/^2026-01-01T00:00:00\.0+Z$/) as unknown;
  expect(ofPrimary).toEqual({
    cluster_id: expect.any(String) as unknown,
    known_secondaries: ['secondary-1'],
    last_wal: expect.any(Number) as unknown,
    merkle_root: '',
    mode: 'primary',
    primary_cluster_addr: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as unknown,
    secondaries: [
      {
        node_id: 'secondary-1',
        api_address: secondary.url,
        cluster_address: '',
        connection_status: 'connected',
        last_heartbeat: time,
      },
    ],
    state: 'running',
  });
  expect(ofSecondary).toEqual({
    cluster_id: expect.any(String) as unknown,
    connection_state: 'ready',
    known_primary_cluster_addrs: [address],
    last_remote_wal: ofPrimary['last_wal'],
    last_start: time,
    mode: 'secondary',
    primaries: [
      {
        api_address: primary.url,
        cluster_address: address,
        connection_status: 'connected',
        last_heartbeat: time,
      },
    ],
    primary_cluster_addr: address,
    primary_cluster_id: ofPrimary['cluster_id'],
    secondary_id: 'secondary-1',
    state: 'stream-wals',
  });
  expect(ofSecondary['cluster_id']).not.toBe(ofPrimary['cluster_id']);
  expect(await statusOf(primary)).toMatchObject({
    epoch: expect.any(String) as unknown,
    secondaries: [
      {
        cluster_id: ofSecondary['cluster_id'],
        applied_wal: ofPrimary['last_wal'],
        last_heartbeat_duration_ms: expect.any(Number) as unknown,
        clock_skew_ms: 0,
        replication_primary_canary_age_ms: 0,
        lag_entries: 0,
        whole: true,
      },
    ],
  });
  expect(await statusOf(secondary)).toMatchObject({
    primary_standing: 'primary',
    last_heartbeat: time,
    clock_skew_ms: 0,
    replication_primary_canary_age_ms: 0,
    lag_entries: 0,
    sync_state: 'stream',
    whole: true,
    connection_error: null,
    demoted: false,
  });
  const { last_heartbeat_duration_ms: took } = await statusOf(secondary);
  expect(took).toBe(Math.round(Number(took) * 1000) / 1000);
  expect((await near.read('sys/replication/status')).data).toEqual({
    dr: { mode: 'disabled' },
    performance: await statusOf(secondary),
  });
  const inside = { 'x-vault-namespace': 'team' };
  expect(await refusalOf(far.send('GET', `${replication}/status`, undefined, inside))).toBe(
    'operation unavailable in namespaces',
  );
  expect(await refusalOf(far.send('POST', `${replication}/primary/demote`, {}, inside))).toBe(
    'operation unavailable in namespaces',
  );
  expect((await primary.anonymous.read('sys/health')).body).toMatchObject({
    replication_performance_mode: 'primary',
    replication_primary_canary_age_ms: 0,
  });
  expect((await secondary.anonymous.read('sys/health')).body).toMatchObject({
    replication_performance_mode: 'secondary',
    replication_primary_canary_age_ms: 0,
    // This server has no standby nodes, so it has no echoes.
    echo_duration_ms: null,
    clock_skew_ms: null,
  });
  expect((await primary.anonymous.read('sys/ha-status')).status).toBe(403);
  expect((await far.read('sys/ha-status')).data).toEqual({
    nodes: [
      {
        hostname: expect.any(String) as unknown,
        api_address: primary.url,
        cluster_address: address,
        active_node: true,
        last_echo: null,
        version: '0.1.0',
      },
    ],
  });
});

test('a secondary without its primary serves reads and local writes, and refuses shared writes', async () => {
  await near.write('secret/data/a', { data: { n: 5 } });
  await primary.admin.write('sys/seal');
  await waitFor(secondary, { connection_state: 'transient_failure' });
  const refused = await near.write('secret/data/a', { data: { n: 6 } });
  expect([refused.status, refused.headers.get('retry-after'), String(refused.body['errors'])]).toEqual([
    503,
    '5',
    expect.stringMatching(/Nothing was changed\. Try again\.$/),
  ]);
  expect((await near.read('secret/data/a')).data['data']).toEqual({ n: 5 });
  expect((await near.write('sys/mounts/own', { type: 'kv', local: true })).status).toBe(204);
  expect((await near.write('own/data/a', { data: {} })).status).toBe(200);
});

test('creates one digest at a time, and four of a user may wait', async () => {
  const secrets = Array.from({ length: 10_000 }, (_, n) => ({ path: `of-many/${n}`, data: { n: `${n}` } }));
  await using cluster = await startCluster({ seed: { keyValueMounts: ['secret/'], secrets } });
  await enablePrimary(cluster);
  const read = () => cluster.admin.read(`${replication}/digest`);
  const answers = await Promise.all(Array.from({ length: 20 }, read));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});
