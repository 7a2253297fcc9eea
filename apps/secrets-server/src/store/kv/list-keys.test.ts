import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../database.ts';
import { keyLister } from './list-keys.ts';

const folder = temporaryFolder();
const store = openDatabase(folder.path);
const list = keyLister(store);
const atOnce = () => Promise.resolve();
afterAll(async () => {
  await store.close();
  folder[Symbol.dispose]();
});

const deep = process.env['GATEHOUSE_DEEP'] === '1';
/** In milliseconds. */
const timeout = deep ? 1_800_000 : 60_000;

let mounts = 0;
/** Creates a mount with these keys and returns its number. */
function mountWith(paths: Iterable<string>): Promise<number> {
  const { build } = store;
  const id = ++mounts;
  return store.write((tx) => {
    tx.run(
      build
        .insertInto('mount')
        .values({
          id,
          namespace: '',
          path: `${id}/`,
          type: 'kv',
          description: '',
          accessor: `a${id}`,
          uuid: `u${id}`,
          options: null,
          config: '{}',
        })
        .compile(),
    );
    for (const path of paths) {
      tx.run(
        build
          .insertInto('kv_key')
          .values({
            mount_id: id,
            path,
            current_version: 0,
            oldest_version: 0,
            created_time: 0,
            updated_time: 0,
            max_versions: 0,
            cas_required: 0,
            delete_version_after: 0,
            custom_metadata: null,
          })
          .compile(),
      );
    }
    return id;
  });
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** A simple reference implementation of listing. */
function expected(paths: Iterable<string>, at: string, after: string, limit: number): string[] {
  const names = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(at)) continue;
    const below = path.slice(at.length);
    const slash = below.indexOf('/');
    names.add(slash === -1 ? below : below.slice(0, slash + 1));
  }
  const all = [...names].sort(byBytes).filter((name) => after === '' || byBytes(name, after) > 0);
  return limit === 0 ? all : all.slice(0, limit);
}

const segment = fc.string({
  unit: fc.constantFrom('a', 'b', '!', '0', ' ', '\u{10000}', '\uffff', 'ä'),
  minLength: 1,
  maxLength: 3,
});
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));

test('agrees with the simple implementation for any names', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { maxLength: 30 }),
      segment,
      fc.nat(4),
      async (paths, after, limit) => {
        const mount = await mountWith(paths);
        const folders = new Set([
          '',
          ...paths.flatMap((one) => [...one.matchAll(/\//g)].map(({ index }) => one.slice(0, index + 1))),
        ]);
        for (const at of folders) {
          for (const from of ['', after, `${after}/`]) {
            expect(await list(mount, at, { after: from, limit }, atOnce)).toEqual(
              expected(paths, at, from, limit),
            );
          }
        }
      },
    ),
    { numRuns: deep ? 1000 : 60 },
  );
});

test('lists a folder with more keys than one query reads, beside other keys and folders', async () => {
  const paths = ['a', 'z'];
  for (let n = 0; n < 1500; n++) paths.push(`m/${n}`, `deep/${n % 3}/${n}`, `p${n}`);
  const mount = await mountWith(paths);
  for (const at of ['', 'm/', 'deep/', 'deep/1/']) {
    let ways = 0;
    const giveWay = async () => void (ways += 1);
    expect(await list(mount, at, { after: '', limit: 0 }, giveWay)).toEqual(expected(paths, at, '', 0));
    expect(ways).toBeGreaterThan(0);
  }
});

test('reads nothing before its turn', async () => {
  const mount = await mountWith(['a']);
  const read = vi.spyOn(store, 'all');
  const turn = Promise.withResolvers<void>();
  const listing = list(mount, '', { after: '', limit: 0 }, () => turn.promise);
  expect(read).not.toHaveBeenCalled();
  turn.resolve();
  expect(await listing).toEqual(['a']);
  read.mockRestore();
});

test('a folder whose names are too long in total is listed in parts', async () => {
  const names = Array.from({ length: 9 }, (_, n) => `${n}`.padStart(2, '0') + 'x'.repeat(2 ** 20));
  const mount = await mountWith(names);
  await expect(list(mount, '', { after: '', limit: 0 }, atOnce)).rejects.toMatchObject({ status: 400 });
  const [first = ''] = await list(mount, '', { after: '', limit: 1 }, atOnce);
  expect(await list(mount, '', { after: first, limit: 7 }, atOnce)).toHaveLength(7);
});
