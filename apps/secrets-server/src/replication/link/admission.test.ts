import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { linkProxy } from '#testing/link-proxy.ts';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import type { LinkedPrimary, LinkedSecondary } from '#testing/linked-clusters.ts';
import { createIdentity, issueCredentials, serverName } from './certificates.ts';
import { connect } from './connection.ts';
import { patienceOf } from './patience.ts';
import { ping } from './ping.ts';
import type { SecondaryCredentials } from './types.ts';

/** The given time for each address, and six times as much in total. */
const within = (ms: number) => patienceOf(ms, 6 * ms);

let primary: LinkedPrimary;
beforeAll(async () => {
  primary = await openPrimary();
});
afterAll(() => primary[Symbol.asyncDispose]());

const stateBecomes = (secondary: LinkedSecondary, connection: string) =>
  expect.poll(() => secondary.following.state().connection, { interval: 2 }).toBe(connection);

test("a revoked secondary is disconnected with the reason and can't reconnect", async () => {
  await using secondary = await openSecondary(await primary.activate('revoked'));
  await expect.poll(() => secondary.following.state().lastHeartbeat, { interval: 2 }).toBeDefined();
  primary.records.delete('revoked');
  primary.serving.disconnect('revoked');
  await stateBecomes(secondary, 'denied');
  expect(secondary.following.state().why).toMatch(/refuses this cluster: it was revoked there/);
  expect(primary.serving.secondaries()).toEqual([]);
  await secondary.restart();
  await stateBecomes(secondary, 'denied');
  // Saving a disconnected secondary's state must not restore its record.
  expect(primary.records.has('revoked')).toBe(false);
});

test('an activation can be used by only one cluster', async () => {
  const credentials = await primary.activate('twice');
  // Delays the first claim until the other was denied, so that both are pending at once.
  const firstIsDenied = Promise.withResolvers<void>();
  primary.beforeSave = () => firstIsDenied.promise;
  await using one = await openSecondary(credentials);
  await using other = await openSecondary(credentials);
  const states = () => [one, other].map(({ following }) => following.state().connection).toSorted();
  await expect.poll(states, { interval: 2 }).toEqual(['connecting', 'denied']);
  primary.beforeSave = () => Promise.resolve();
  firstIsDenied.resolve();
  await expect.poll(states, { interval: 2 }).toEqual(['denied', 'ready']);
  const [used, denied] = one.following.state().connection === 'ready' ? [one, other] : [other, one];
  expect(denied.cluster.replication.position().seq).toBe(0);
  // The cluster that used the activation first can reconnect.
  await used.restart();
  await stateBecomes(used, 'ready');
  await denied.restart();
  await stateBecomes(denied, 'denied');
});

test("a cluster that did not use the activation can't make calls with it", async () => {
  const credentials = await primary.activate('thief');
  const ends = new AbortController();
  const { client } = await connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  const refused = { code: Code.PermissionDenied };
  // A cluster that has not followed yet is refused, too.
  await expect(client.forward({ clusterId: 'another' })).rejects.toMatchObject(refused);
  await using secondary = await openSecondary(credentials);
  await stateBecomes(secondary, 'ready');
  await expect(client.forward({ clusterId: 'another' })).rejects.toMatchObject(refused);
  await expect(client.report({ clusterId: 'another' })).rejects.toMatchObject(refused);
  await expect(client.forward({})).rejects.toMatchObject(refused);
  ends.abort();
});

test('a fifth connection of a secondary closes its oldest one, and none of another secondary', async () => {
  const credentials = await primary.activate('many');
  await using other = await openSecondary(await primary.activate('few'));
  await stateBecomes(other, 'ready');
  const { connectedSince } = other.following.state();
  const ends = new AbortController();
  const open = () => connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  const oldest = await open();
  const others = [await open(), await open(), await open()];
  for (const { client } of [oldest, ...others]) await client.ping({});
  const newest = await open();
  await newest.client.ping({});
  await expect.poll(() => oldest.ended.aborted, { interval: 2 }).toBe(true);
  for (const { client } of [...others, newest]) await client.ping({});
  const together = await Promise.allSettled(Array.from({ length: 12 }, open));
  const opened = together.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const left = () => [...others, newest, ...opened].filter(({ ended }) => !ended.aborted).length;
  await expect.poll(left, { interval: 2 }).toBe(4);
  expect(other.following.state()).toMatchObject({ connection: 'ready', connectedSince });
  ends.abort();
});

test('beyond the limit of connections to the cluster port, the oldest one is closed', async () => {
  await using small = await openPrimary({ connections: 2 });
  const stranger = connectTcp(small.serving.port, '127.0.0.1').resume();
  await once(stranger, 'connect');
  await using secondary = await openSecondary(await small.activate('berlin'));
  await stateBecomes(secondary, 'ready');
  const closed = once(stranger, 'close');
  const second = connectTcp(small.serving.port, '127.0.0.1').resume();
  await closed;
  expect(second.destroyed).toBe(false);
  await stateBecomes(secondary, 'ready');
  second.destroy();
});

test('a cluster must identify itself by a UUID and short addresses', async () => {
  const credentials = await primary.activate('wordy');
  const ends = new AbortController();
  const { client } = await connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  for (const who of [
    { clusterId: '' },
    { clusterId: 'two' },
    { clusterId: randomUUID(), apiAddress: 'x'.repeat(513) },
  ]) {
    const messages = client.follow(who)[Symbol.asyncIterator]();
    await expect(messages.next()).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
  expect(primary.records.get('wordy')).toMatchObject({ clusterId: undefined, apiAddress: '' });
  ends.abort();
});

test('many streams opened at once cause only few snapshots', async () => {
  const credentials = await primary.activate('many');
  const ends = new AbortController();
  const { client } = await connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  const clusterId = randomUUID();
  const { replication } = primary.cluster;
  const snapshot = replication.snapshot.bind(replication);
  let made = 0;
  replication.snapshot = (...asked) => {
    made += 1;
    return snapshot(...asked);
  };
  const streams = Array.from({ length: 20 }, async () => {
    for await (const { message } of client.follow({ clusterId })) if (message.case === 'snapshotEnd') return;
  });
  const ended = await Promise.allSettled(streams);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(made).toBeLessThan(5);
  replication.snapshot = snapshot;
  ends.abort();
});

test("a secondary's report must contain valid numbers", async () => {
  const credentials = await primary.activate('numbers');
  const ends = new AbortController();
  const { client } = await connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  const clusterId = randomUUID();
  await client.follow({ clusterId })[Symbol.asyncIterator]().next();
  await expect(client.report({ clusterId, appliedSeq: Number.NaN })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  expect((await client.report({ clusterId, appliedSeq: 1 })).seq).toBe(
    primary.cluster.replication.position().seq,
  );
  ends.abort();
});

test('how far a secondary is behind is unknown while it has entries that the primary lacks', async () => {
  const credentials = await primary.activate('ahead');
  const ends = new AbortController();
  const { client } = await connect(credentials.addresses[0] ?? '', credentials, ends.signal);
  const clusterId = randomUUID();
  await client.follow({ clusterId })[Symbol.asyncIterator]().next();
  const { seq } = primary.cluster.replication.position();
  const lagAt = async (appliedSeq: number) => {
    await client.report({ clusterId, appliedSeq });
    return primary.serving.secondaries().find(({ id }) => id === 'ahead');
  };
  expect(await lagAt(seq + 1)).toMatchObject({ connected: true, lagEntries: undefined });
  expect(await lagAt(seq)).toMatchObject({ lagEntries: 0 });
  ends.abort();
});

test("the port closes even if a secondary's state can't be saved", async () => {
  await using own = await openPrimary({ heartbeatMs: 20 });
  await using secondary = await openSecondary(await own.activate('berlin'), { heartbeatMs: 20 });
  await expect.poll(() => secondary.following.state().lastHeartbeat, { interval: 2 }).toBeDefined();
  const { records } = own;
  records.get = () => {
    throw new Error('the book is closed');
  };
  await own.serving.close();
  expect(own.serving.secondaries()).toEqual([]);
});

test('a secondary that is revoked during its first connection is denied', async () => {
  const credentials = await primary.activate('late');
  primary.beforeSave = async ({ id }) => {
    if (id !== 'late') return;
    primary.beforeSave = () => Promise.resolve();
    primary.records.delete(id);
  };
  await using secondary = await openSecondary(credentials);
  await stateBecomes(secondary, 'denied');
  expect(secondary.cluster.replication.position().history).toEqual([]);
});

test('both sides refuse certificates of another authority', async () => {
  const good = await primary.activate('strange');
  const stranger = await createIdentity(primary.clusterId);
  const { client, authority } = await issueCredentials(stranger, { ...good, id: 'strange' });

  // The secondary does not accept the server as its primary.
  await using misled = await openSecondary({ ...good, authority, client });
  await stateBecomes(misled, 'denied');
  expect(misled.following.state().why).toMatch(/isn't this cluster's primary/);
  // The right authority but the wrong name: a certificate for another cluster's primary.
  await misled.restart({ ...good, primaryClusterId: 'another' });
  await stateBecomes(misled, 'denied');

  // The server does not accept the secondary.
  await misled.restart({ ...good, client });
  await stateBecomes(misled, 'disconnected');
  expect((await ping({ ...good, client }, good.addresses, within(1000))).answer).toBeUndefined();
  expect(primary.records.get('strange')?.clusterId).toBeUndefined();
  await misled.restart(good);
  await stateBecomes(misled, 'ready');
});

test("clients without a certificate, without TLS or with an older TLS version can't make calls", async () => {
  const { port } = primary.serving;
  const { authority, client } = await primary.activate('probe');
  const servername = serverName(primary.clusterId);
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: authority, servername });
  session.on('error', () => undefined);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/gatehouse.replication.v1.Replication/Ping',
  });
  let answered = false;
  stream.once('response', () => (answered = true));
  await expect(once(stream, 'end')).rejects.toMatchObject({
    code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  });
  expect(answered).toBe(false);
  session.destroy();

  const older = connectTls({
    host: '127.0.0.1',
    port,
    ca: authority,
    ...client,
    servername,
    maxVersion: 'TLSv1.2',
  });
  const [refusal] = await once(older, 'error');
  expect(refusal).toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' });

  const plain = connectTcp(port, '127.0.0.1');
  let said = '';
  plain.on('data', (bytes: Buffer) => (said += bytes.toString('latin1')));
  plain.on('error', () => undefined);
  plain.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await once(plain, 'close');
  expect(said).not.toMatch(/HTTP|gatehouse/i);
});

test('a ping of many silent addresses ends within the total time limit', async () => {
  const credentials = await primary.activate('patient');
  await using silent = await linkProxy(() => primary.serving.port);
  silent.hold();
  const addresses = Array.from({ length: 10 }, () => silent.address);
  expect(await ping(credentials, addresses, patienceOf(60_000, 300))).toEqual({
    answer: undefined,
    deniedAt: undefined,
  });
  // Each address has only its share of the total time, even with a longer limit per address.
  const last = [...addresses.slice(0, 1), `127.0.0.1:${primary.serving.port}`];
  expect(await ping(credentials, last, patienceOf(60_000, 4000))).toMatchObject({
    answer: { address: last[1] },
  });
});

test('a ping tries addresses one at a time and returns the first that is the primary', async () => {
  const credentials = await primary.activate('asks');
  await using silent = await linkProxy(() => primary.serving.port);
  await using after = await linkProxy(() => primary.serving.port);
  await using stranger = await openPrimary();
  silent.hold();
  const { port } = primary.serving;
  const at = (one: number): string => `127.0.0.1:${one}`;
  const addresses = [
    'not an address',
    at(1),
    at(stranger.serving.port),
    silent.address,
    at(port),
    after.address,
  ];
  expect(await ping(credentials, addresses, within(3000))).toEqual({
    answer: {
      address: at(port),
      standing: 'primary',
      clusterId: primary.clusterId,
      position: primary.cluster.replication.position(),
    },
    deniedAt: undefined,
  });
  expect([silent.accepted, after.accepted]).toEqual([1, 0]);
  expect(await ping(credentials, [], within(1000))).toEqual({ answer: undefined, deniedAt: undefined });
  // A ping does not use the activation.
  expect(primary.records.get('asks')?.clusterId).toBeUndefined();
  primary.records.delete('asks');
  expect(await ping(credentials, [at(1), at(port)], within(5000))).toEqual({
    answer: undefined,
    deniedAt: at(port),
  });
});

test("a primary's message that exceeds the caller's limit is not received", async () => {
  const credentials = await primary.activate('short');
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const ask = async (mostBytes: number) =>
    (await connect(`127.0.0.1:${primary.serving.port}`, credentials, gone.signal, { mostBytes })).client.ping(
      {},
    );
  expect(await ask(1024)).toMatchObject({ clusterId: primary.clusterId });
  await expect(ask(20)).rejects.toMatchObject({ code: Code.ResourceExhausted });
});

test('a secondary whose activation is no longer known is denied', async () => {
  const credentials: SecondaryCredentials = await primary.activate('expired');
  primary.records.delete('expired');
  await using secondary = await openSecondary(credentials);
  await stateBecomes(secondary, 'denied');
  expect(secondary.cluster.replication.position()).toEqual({ seq: 0, history: [] });
});
