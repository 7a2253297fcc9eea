import { expect, test, vi } from 'vitest';
import { mountAt, openPrimaryStore } from '#testing/replicated-pair.ts';
import type { ReplicatedStore } from '#testing/replicated-store.ts';
import type { Backend, Request } from '../../core/backend.ts';
import { parseBody } from '../../core/body.ts';
import type { Mount } from '../../core/mount.ts';
import { noSettings } from '../../domain/kv/settings.ts';
import { kvBackend } from '../../engines/kv/backend.ts';

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

interface Patching extends Pick<Request, 'giveWay'> {
  readonly backend: Backend;
  readonly options: { readonly cas: number };
}

/** Patches the key `a` as the engine does. @returns the status */
async function patchA(
  own: ReplicatedStore,
  mount: Mount,
  data: object,
  { backend = kvBackend(own), giveWay = () => Promise.resolve(), ...rest }: Partial<Patching> = {},
): Promise<number | undefined> {
  const { route, params } = backend.match('data/a') ?? {};
  const body = parseBody(JSON.stringify({ data, ...rest }));
  const request: Partial<Request> = { mount, body, now: 0, giveWay };
  return (await route?.operations.patch?.(request as Request, params ?? {}))?.status;
}

test('a patch decrypts the current value before its write, in which nobody else can write', async () => {
  await using own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  await own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{"n":1}'));
  let isWriting = false;
  const write = own.store.write.bind(own.store);
  vi.spyOn(own.store, 'write').mockImplementation((work, options) =>
    write((tx) => {
      isWriting = true;
      try {
        return work(tx);
      } finally {
        isWriting = false;
      }
    }, options),
  );
  const opened: boolean[] = [];
  const open = own.barrier.open.bind(own.barrier);
  vi.spyOn(own.barrier, 'open').mockImplementation((...given) => {
    opened.push(isWriting);
    return open(...given);
  });
  await patchA(own, mount, { m: 2 });
  expect(own.kv.read(mount.id, 'a', 0, 0)).toMatchObject({ version: 2, data: '{"n":1,"m":2}' });
  // This one is written after the patch has read the version.
  const written = own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{"n":3}'));
  await patchA(own, mount, { m: 4 });
  await written;
  vi.restoreAllMocks();
  expect(opened).toEqual(Array(4).fill(false));
  expect(own.kv.read(mount.id, 'a', 0, 0)).toMatchObject({ version: 4, data: '{"n":3,"m":4}' });
});

test('a patch is refused if others change its secret during each of ten attempts', async () => {
  await using own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  await own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{}'));
  // An attempt gives way before it reads the version and after it has merged.
  const writes: Promise<unknown>[] = [];
  const giveWay = async (): Promise<void> => {
    writes.push(own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{"n":1}')));
  };
  await expect(patchA(own, mount, { x: 1 }, { giveWay })).rejects.toMatchObject({ status: 503 });
  await Promise.all(writes);
  expect(own.kv.read(mount.id, 'a', 0, 0)).toMatchObject({ version: 21, data: '{"n":1}' });
  // With check-and-set, the first change is one too many.
  await expect(patchA(own, mount, { x: 1 }, { giveWay, options: { cas: 21 } })).rejects.toMatchObject({
    status: 400,
  });
  expect(writes).toHaveLength(22);
});

test('patches of a secret wait for each other, so that each is merged once', async () => {
  await using own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  await own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{}'));
  const backend = kvBackend(own);
  const opened = vi.spyOn(own.barrier, 'open');
  const patches = Array.from({ length: 20 }, (_, n) => patchA(own, mount, { [n]: 1 }, { backend }));
  expect(await Promise.all(patches)).toEqual(Array(20).fill(200));
  expect(opened).toHaveBeenCalledTimes(20);
  vi.restoreAllMocks();
  expect(own.kv.read(mount.id, 'a', 0, 0)?.version).toBe(21);
});

test('patches that have read the same version are all kept', async () => {
  await using own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  await own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{}'));
  const patches = ['x', 'y', 'z'].map((name) => patchA(own, mount, { [name]: 1 }));
  expect(await Promise.all(patches)).toEqual([200, 200, 200]);
  expect(own.kv.read(mount.id, 'a', 0, 0)).toMatchObject({ version: 4, data: '{"x":1,"y":1,"z":1}' });
});

test('a patch is refused if the version that it has read was deleted since', async () => {
  await using own = await openPrimaryStore();
  const mount = await mountAt(own, 'secret/');
  await own.kv.change(mount.id, 'a', 0, (change) => change.addVersion('{}'));
  // Waits in the line before the patch, which reads the version before either of them is written.
  const deleted = own.kv.change(mount.id, 'a', 0, (change) => change.setDeletionTime(1, 0));
  expect(await patchA(own, mount, { x: 1 })).toBe(404);
  await deleted;
});
