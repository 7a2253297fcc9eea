import { testClock } from '@gatehouse/service-kit/clock';
import { createLog } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { expect, test, vi } from 'vitest';
import { openBarrier } from '../../store/barrier.ts';
import { undoStore } from '../../store/cloud/undo-store.ts';
import { openDatabase } from '../../store/database.ts';
import { defaultConfig, mountTable } from '../../store/mounts.ts';
import { rootFields, rootKey, shortTimes, startCloudServer, startProvider } from '../../testing/cloud.ts';
import { openProvider } from './aws/provider.ts';
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

test('an operation that was waiting when its engine was stopped creates nothing', async () => {
  using folder = temporaryFolder();
  const store = openDatabase(folder.path);
  const records = undoStore(store, await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 1));
  const mount = await mountTable(store, []).add({
    namespace: '',
    path: 'cloud/',
    type: 'cloud',
    description: '',
    options: null,
    config: defaultConfig,
  });
  await using cloud = await startProvider();
  const closed = new AbortController();
  const opened = Promise.withResolvers<Provider>();
  const undoing = undoingOf({
    records,
    providers: {
      of: () => opened.promise,
      openApart: () => opened.promise,
      forget: () => undefined,
      close: () => undefined,
    },
    clock: testClock(),
    log: createLog({ service: 'secrets', level: 'silent' }),
    times: shortTimes,
  });
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
  await store.close();
});
