import { silentLog } from '@gatehouse/service-kit/log';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, describe, expect, test } from 'vitest';
import { startPostgres } from '#test/postgres.ts';
import { replicaKinds } from '#test/replicas.ts';
import { secretDates } from './secret-dates.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const limits = { most: 100, mostInFolder: 20 };

describe.each(replicaKinds(postgres))('dates of secrets, in %s', (_, opener) => {
  test("of one folder don't hide those of another, and are limited", async () => {
    using files = temporaryFolder();
    const database = await (await opener(files))();
    const dates = secretDates(database, silentLog, limits);
    const paths = async (limit: number) =>
      (await dates.before('test', Date.UTC(2027, 0), limit)).map(({ path }) => path);
    for (let n = 0; n < 23; n++)
      dates.note('test', { mount: 'secret', path: `a/${String(n)}` }, { expires: '2020-01-01' });
    dates.note(
      'test',
      { mount: 'secret', path: 'b/one' },
      { rotate_by: '2026-12-31', expires: '2030-01-01' },
    );
    dates.note('test', { mount: 'other', path: 'top' }, { expires: '2026-06-30' });
    dates.note('staging', { mount: 'secret', path: 'c' }, { expires: '2020-01-01' });
    await expect.poll(async () => (await paths(1000)).length).toBe(22);
    expect((await paths(4)).slice(1, 3)).toEqual(['top', 'b/one']);
    expect(await dates.isWhole('test', Date.UTC(2027, 0))).toBe(false);
    await database.close();
    dates.note('test', { mount: 'secret', path: 'late' }, { expires: '2020-01-01' });
  });

  test('of a full folder are its earliest ones', async () => {
    using files = temporaryFolder();
    const database = await (await opener(files))();
    const dates = secretDates(database, silentLog, limits);
    const soon = async () => dates.before('test', Date.UTC(2027, 0), 1000);
    for (let n = 0; n < 23; n++)
      dates.note('test', { mount: 'secret', path: `a/${String(n)}` }, { expires: '2099-01-01' });
    dates.note('test', { mount: 'secret', path: 'a/soon' }, { rotate_by: '2026-12-31' });
    await expect.poll(soon).toEqual([{ mount: 'secret', path: 'a/soon' }]);
    expect(await dates.isWhole('test', Date.UTC(2027, 0))).toBe(true);
    await database.close();
  });
});

test("that can't be stored are logged, and nothing else fails", async () => {
  using files = temporaryFolder();
  const [, opener] = replicaKinds(undefined)[0] ?? [];
  const database = await (await opener?.(files))?.();
  if (database === undefined) throw new Error('no database');
  const warned: string[] = [];
  const failing = { ...database, all: () => Promise.reject(new Error('locked')) };
  secretDates(failing, { ...silentLog, warn: (message) => void warned.push(message) }).note(
    'test',
    { mount: 'secret', path: 'a' },
    { expires: '2020-01-01' },
  );
  await expect.poll(() => warned).toEqual(['dates of a secret not stored']);
  await database.close();
});
