import { expect, test, vi } from 'vitest';
import { mountAt, openPrimaryStore } from '#testing/replicated-pair.ts';
import { noSettings } from '../../domain/kv/settings.ts';

/** A store with a key of 100 versions, and the numbers of versions that are left after each write. */
async function openWithVersions() {
  const own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  const keep = (maxVersions: number) =>
    own.kv.change(mount.id, 'a', 0, (change) =>
      change.saveMetadata({ ...noSettings, maxVersions }, undefined),
    );
  const add = () => own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{}'));
  await keep(100);
  for (let version = 1; version <= 100; version++) await add();
  const left: number[] = [];
  const write = own.store.write.bind(own.store);
  const count = own.store.build.selectFrom('kv_version').select((of) => of.fn.countAll<number>().as('count'));
  /** The number of writes after which one fails. */
  const kill = { at: -1 };
  vi.spyOn(own.store, 'write').mockImplementation(async (...given) => {
    if (left.length === kill.at) {
      kill.at = -1;
      throw new Error('killed');
    }
    const result = await write(...given);
    left.push(own.store.get(count.compile())?.count ?? 0);
    return result;
  });
  // Each look at the clock takes long, so that each write does the least.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  return {
    ...own,
    mount,
    keep,
    add,
    left,
    kill,
    [Symbol.asyncDispose]: async () => {
      vi.restoreAllMocks();
      await own[Symbol.asyncDispose]();
    },
  };
}

test('a key with many versions is deleted in several writes, and an interruption leaves the later versions', async () => {
  await using own = await openWithVersions();
  await own.kv.remove(own.mount.id, 'a');
  expect(own.left.length).toBeGreaterThan(10);
  for (const [index, left] of own.left.entries()) expect(left).toBeGreaterThan((own.left[index] ?? 0) - 20);
  expect(own.left.at(-1)).toBe(0);
  expect(own.kv.key(own.mount.id, 'a')).toBeUndefined();
});

test('a lower number of versions to keep prunes eight at once, until it is reached', async () => {
  await using own = await openWithVersions();
  await own.keep(10);
  await own.add();
  expect(own.left.slice(0, 3)).toEqual([100, 93, 85]);
  expect(own.left.at(-1)).toBe(10);
  expect(own.kv.key(own.mount.id, 'a')).toMatchObject({ oldestVersion: 92, currentVersion: 101 });
});

test('an unmounted engine is emptied in several writes, and gone after the first', async () => {
  await using own = await openWithVersions();
  own.kill.at = 3;
  await expect(own.mounts.remove(own.mount)).rejects.toThrow('killed');
  expect(own.mounts.at('', 'secret/')).toBeUndefined();
  const [retired] = own.mounts.retired();
  expect(retired?.id).toBe(own.mount.id);
  if (retired !== undefined) await own.mounts.remove(retired);
  expect(own.left.length).toBeGreaterThan(10);
  expect([own.left.at(-1), own.mounts.retired()]).toEqual([0, []]);
});
