import { expect, test } from 'vitest';
import { linkProxy } from '#testing/link-proxy.ts';
import { openPrimary, openSecondary } from '#testing/linked-clusters.ts';
import type { LinkedSecondary } from '#testing/linked-clusters.ts';
import type { ForwardedRequest, SecondaryRecord } from './types.ts';

const write: ForwardedRequest = {
  namespace: 'team/',
  method: 'POST',
  path: 'secret/data/a?x=%2F',
  body: '{"data":{"n":1e400,"é":"\u{1F511}"}}',
  contentType: 'application/json',
  policies: ['writer', 'default'],
  displayName: 'userpass-ada',
  owner: '0e3b5c1e-ada',
  callerNamespace: 'team/',
  wrapTtl: 60,
};

const streams = (secondary: LinkedSecondary) =>
  expect.poll(() => secondary.following.state().sync, { interval: 2 }).toBe('stream');

test('a forwarded write arrives unchanged, and its entry is here when the answer is', async () => {
  const received: [SecondaryRecord, ForwardedRequest][] = [];
  await using primary = await openPrimary({
    async forward(secondary, request) {
      received.push([secondary, request]);
      await primary.put(mount, 'a', request.body);
      return { status: 200, headers: { 'x-note': 'kept' }, body: '{"data":{"version":1}}' };
    },
  });
  const mount = await primary.mountAt('secret/');
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await streams(secondary);
  const answer = await secondary.following.forward(write);
  expect(secondary.valueAt('secret/', 'a')).toBe(write.body);
  const { seq } = primary.cluster.replication.position();
  const body = '{"data":{"version":1}}';
  expect(answer).toEqual({ status: 200, headers: { 'x-note': 'kept' }, body, seq });
  expect(received).toMatchObject([[{ id: 'berlin' }, write]]);
  await secondary.following.forward({ ...write, contentType: undefined });
  expect(received[1]?.[1].contentType).toBeUndefined();
});

test('the answer to a forwarded write waits for its entry only for a limited time', async () => {
  await using primary = await openPrimary({
    forward: async () => {
      await primary.put(mount, 'a', '{}');
      return { status: 204, headers: {}, body: '' };
    },
  });
  const mount = await primary.mountAt('secret/');
  await using secondary = await openSecondary(await primary.activate('berlin'), { waitMs: 30 });
  await streams(secondary);
  // Delays the application of entries.
  const { promise, resolve } = Promise.withResolvers<void>();
  const store = secondary.cluster.replication;
  const apply = store.apply.bind(store);
  store.apply = async (...given) => {
    await promise;
    return apply(...given);
  };
  expect(await secondary.following.forward(write)).toMatchObject({ status: 204 });
  expect(secondary.valueAt('secret/', 'a')).toBeUndefined();
  resolve();
  await expect.poll(() => secondary.valueAt('secret/', 'a'), { interval: 2 }).toBe('{}');
});

test('without a primary, a write fails with the reason, and nothing is changed', async () => {
  await using primary = await openPrimary();
  await using relay = await linkProxy(() => primary.serving.port);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  await expect(secondary.following.forward(write)).rejects.toMatchObject({ name: 'NoPrimary', done: 'no' });
  await streams(secondary);
  primary.serving.demote();
  await expect(secondary.following.forward(write)).rejects.toMatchObject({
    message: expect.stringMatching(/was demoted/),
    done: 'no',
  });
  await relay[Symbol.asyncDispose]();
  await expect.poll(() => secondary.following.state().connection, { interval: 2 }).toBe('disconnected');
  await expect(secondary.following.forward(write)).rejects.toMatchObject({
    message: expect.stringMatching(/^Can't reach the primary|ended\.$/),
    done: 'no',
  });
});

test('a write whose answer is lost is reported as possibly done', async () => {
  await using primary = await openPrimary({
    async forward() {
      await primary.put(mount, 'a', '{}');
      relay.drop();
      return { status: 204, headers: {}, body: '' };
    },
  });
  const mount = await primary.mountAt('secret/');
  await using relay = await linkProxy(() => primary.serving.port);
  await using secondary = await openSecondary(await primary.activate('berlin', relay.address));
  await streams(secondary);
  await expect(secondary.following.forward(write)).rejects.toMatchObject({
    message: expect.stringMatching(/may have been made/),
    done: 'unknown',
  });
  await expect.poll(() => secondary.valueAt('secret/', 'a'), { interval: 2 }).toBe('{}');
});

test('two large writes of a secondary run at once, without delaying small ones or other secondaries', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  await using primary = await openPrimary({
    async forward({ id }, { path, body }) {
      begun.push(`${id} ${path}`);
      if (body !== '') await new Promise<void>((resolve) => ends.set(path, resolve));
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using berlin = await openSecondary(await primary.activate('berlin'));
  await using lyon = await openSecondary(await primary.activate('lyon'));
  await streams(berlin);
  await streams(lyon);
  const large = (secondary: LinkedSecondary, path: string) =>
    secondary.following.forward({ ...write, path, body: 'x'.repeat(2_000_000) });
  const beginning = (...paths: string[]) => expect.poll(() => begun, { interval: 2 }).toEqual(paths);
  const first = large(berlin, '1');
  await beginning('berlin 1');
  const second = large(berlin, '2');
  await beginning('berlin 1', 'berlin 2');
  const third = large(berlin, '3');
  // A small write passes them, even on the same connection.
  await berlin.following.forward({ ...write, path: 'small', body: '' });
  const other = large(lyon, '4');
  await beginning('berlin 1', 'berlin 2', 'berlin small', 'lyon 4');
  ends.get('1')?.();
  await beginning('berlin 1', 'berlin 2', 'berlin small', 'lyon 4', 'berlin 3');
  for (const end of ends.values()) end();
  for (const { status } of await Promise.all([first, second, third, other])) expect(status).toBe(204);
});

test('a short write does not wait until earlier long ones are sent', async () => {
  const arrived: string[] = [];
  await using primary = await openPrimary({
    async forward(_secondary, { path }) {
      arrived.push(path);
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await streams(secondary);
  const long = Array.from({ length: 30 }, (_, n) =>
    secondary.following.forward({ ...write, path: `long ${n}`, body: 'x'.repeat(1_000_000) }),
  );
  await Promise.all([...long, secondary.following.forward({ ...write, path: 'short' })]);
  expect(arrived[0]).toBe('short');
});

test("a secondary's users take turns with their large writes", async () => {
  const begun: string[] = [];
  const { promise, resolve: end } = Promise.withResolvers<void>();
  await using primary = await openPrimary({
    async forward(_secondary, { owner = '', body }) {
      if (body !== '') begun.push(owner);
      if (body !== '' && begun.length <= 2) await promise;
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await streams(secondary);
  const { following } = secondary;
  const large = (owner: string) => following.forward({ ...write, owner, body: 'x'.repeat(1_100_000) });
  const writes = Array.from({ length: 10 }, () => large('ada'));
  await expect.poll(() => begun, { interval: 2 }).toEqual(['ada', 'ada']);
  writes.push(large('eve'));
  // Its answer shows that the others, which were sent first, have arrived.
  await following.forward({ ...write, body: '' });
  end();
  await Promise.all(writes);
  expect(begun.indexOf('eve')).toBeLessThan(6);
});

test("a limited number of a secondary's large writes wait, and further ones are refused without a change", async () => {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  await using primary = await openPrimary({
    async forward() {
      await promise;
      return { status: 204, headers: {}, body: '' };
    },
  });
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await streams(secondary);
  const writes = Array.from({ length: 27 }, () =>
    secondary.following.forward({ ...write, body: 'x'.repeat(1_100_000) }),
  );
  await expect(Promise.race(writes)).rejects.toMatchObject({
    name: 'NoPrimary',
    message: expect.stringMatching(/has too many large writes waiting/),
    done: 'no',
  });
  end();
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test("the reason for a write's failure at the primary stays there", async () => {
  await using primary = await openPrimary({
    forward: () => Promise.reject(new Error('canary of a broken primary')),
  });
  await using secondary = await openSecondary(await primary.activate('berlin'));
  await streams(secondary);
  const failure: unknown = await secondary.following.forward(write).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'NoPrimary', done: 'unknown' });
  expect(String(failure)).not.toContain('canary');
});
