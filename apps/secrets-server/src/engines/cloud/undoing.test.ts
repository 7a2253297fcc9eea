import { testClock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test, vi } from 'vitest';
import type { Mount } from '../../core/mount.ts';
import { openBarrier } from '../../store/barrier.ts';
import { undoStore } from '../../store/cloud/undo-store.ts';
import { openDatabase } from '../../store/database.ts';
import { defaultConfig, mountTable } from '../../store/mounts.ts';
import { rootFields, rootKey, shortTimes, startCloudServer, startProvider } from '../../testing/cloud.ts';
import { openProvider } from './aws/provider.ts';
import { ProviderFault } from './provider.ts';
import type { Provider } from './provider.ts';
import { noRoot } from './providers.ts';
import { undoingOf } from './undoing.ts';

test.each([
  ['within two minutes is the lost one, and is deleted', 119_000, 1],
  ["later than that is someone else's, and stays", 121_000, 2],
  ["earlier than that is someone else's, and stays", -121_000, 2],
])('after a rotation without an answer, a key of the user that was created %s', async (_, offset, left) => {
  await using server = await startCloudServer();
  await using provider = await startProvider(() => server.clock.now() + offset);
  await server.admin.write('cloud/config/root', { ...rootFields(provider.url), max_retries: 0 });
  provider.inject = ({ action }) => (action === 'CreateAccessKey' ? { effect: 'after' } : undefined);
  expect((await server.admin.write('cloud/config/rotate-root')).status).toBe(502);
  expect(provider.dump()['root']?.keys).toHaveLength(left);
  expect(provider.dump()['root']?.keys).toContain(rootKey.id);
});

/** The undos of two engines in a separate store. */
async function openUndos() {
  const folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const records = undoStore(store, await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 1));
  const mounts = mountTable(store, []);
  const mountAt = (path: string) =>
    mounts.add({
      namespace: '',
      path,
      type: 'cloud',
      description: '',
      options: null,
      config: defaultConfig,
    });
  const base = { records, clock: testClock(), log: createLog({ service: 'secrets', level: 'silent' }) };
  return {
    store,
    records,
    mount: await mountAt('cloud/'),
    other: await mountAt('other/'),
    undoingWith: (of: () => Promise<Provider>) =>
      undoingOf({ ...base, providers: { of }, inTurn: (_, work) => work(), times: shortTimes }),
    async [Symbol.asyncDispose]() {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test('an engine with 1,000 objects that are still to be deleted creates no more, until they are forgotten', async () => {
  await using it = await openUndos();
  const { store, records, mount, other } = it;
  const undo = { kind: 'user', userName: 'u' } as const;
  await store.write((tx) => {
    for (let count = 0; count < 1_000; count += 1)
      records.addIn(tx, { mountId: mount.id, undo, origin: '@' }, 1, 9e9);
  });
  const silent = new ProviderFault('no answer', { code: '', status: undefined, attempts: 1 });
  let asked = 0;
  const undoing = it.undoingWith(() => {
    asked += 1;
    return Promise.reject(silent);
  });
  const add = ({ id: mountId }: Mount) => records.add({ mountId, undo, origin: '@' }, 1, 9e9);
  await expect(add(mount)).rejects.toMatchObject({
    status: 400,
    errors: [expect.stringContaining('has 1000 objects at the provider that are still to be deleted')],
  });
  await add(other);
  // Only some are tried at a provider that does not answer.
  expect(await undoing.stop(mount)).toHaveLength(1_000);
  expect(asked).toBe(8);
  await undoing.forget(mount);
  expect([undoing.holds(mount), undoing.holds(other)]).toEqual([false, true]);
  await add(mount);
});

test('an operation that was waiting when its engine was stopped creates nothing', async () => {
  await using it = await openUndos();
  const { mount } = it;
  await using cloud = await startProvider();
  const closed = new AbortController();
  const opened = Promise.withResolvers<Provider>();
  const undoing = it.undoingWith(() => opened.promise);
  const start = vi.fn<() => Promise<string>>(() => Promise.resolve('made'));
  const finish = (_: Provider, made: string) => Promise.resolve(made);
  const make = () => undoing.make(mount, { undo: { kind: 'user', userName: 'late' }, start, finish });
  const late = make();
  expect(await undoing.stop(mount)).toEqual([]);
  opened.resolve(
    openProvider(
      { ...noRoot, accessKey: rootKey.id, secretKey: 's', iamEndpoint: cloud.url },
      {},
      closed.signal,
    ),
  );
  const refused = { status: 400, errors: ['"cloud/" is being unmounted'] };
  await expect(late).rejects.toMatchObject(refused);
  await expect(make()).rejects.toMatchObject(refused);
  expect(start).not.toHaveBeenCalled();
  undoing.resume(mount);
  expect(await make()).toBe('made');
});
