/** Private images stay private: the box here is as the plan showed it. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  act,
  copied,
  itemsOf,
  moveIn,
  moveOnce,
  planned,
  readMove,
  reportOf,
  seedBox,
  startMoves,
  type MovesConsole,
} from '#test/moves.ts';
import { imageOf } from '#test/publish.ts';

let moves: MovesConsole;
let page: Browser;
beforeAll(async () => {
  moves = await startMoves();
  page = await moves.here.signedIn();
});
afterEach(() => {
  delete moves.here.proxy.onRequest;
  delete moves.source.proxy.onRequest;
});
afterAll(() => moves[Symbol.asyncDispose]());

const boxAt = (name: string): string => `/api/v2/box/admin/${name}`;
const addBox = (name: string, is_private: boolean) =>
  moves.here.direct.post('/api/v2/boxes', { box: { username: 'admin', name, is_private } });
const publicNow = (name: string) => moves.here.direct.put(boxAt(name), { box: { is_private: false } });
/** The plan of a private box with these images, of a version each. */
const planOf = async (name: string, images: readonly (Buffer | string)[]) => {
  const versions = images.map((image, n) => ({ version: `1.0.${n}`, images: [{ image }] }));
  await seedBox(moves.source, name, versions, { is_private: true });
  return (await planned(page, moves.source, [`admin/${name}`], { token: moves.source.direct.token })).id;
};
const copy = (id: string) => copied(page, id, moves.source.direct.token);
const versionsHere = async (name: string): Promise<unknown> =>
  (await moves.here.direct.get(boxAt(name))).body['versions'];
const link = 'https://images.example/image.box';

test('adds nothing to a box that was private here at the plan and is public now', async () => {
  await addBox('opened', true);
  const id = await planOf('opened', [imageOf(9000, 1)]);
  await publicNow('opened');
  expect(await copy(id)).toMatchObject({ state: 'done', pieces: { failed: 1 } });
  expect(await versionsHere('opened')).toEqual([]);
  const [line] = await reportOf(page, id);
  expect(line?.detail).toContain('admin/opened is public here now');
  // Who compares sees the box as it is.
  moveIn(await act(page, id, 'compare', { token: moves.source.direct.token }));
  await moveOnce(page, id, ['planned']);
  expect(await copy(id)).toMatchObject({ pieces: { copied: 1 } });
});

test('adds nothing to a public box that someone creates at the same time', async () => {
  const id = await planOf('raced', [link]);
  moves.here.proxy.onRequest = (bytes) =>
    bytes.toString('latin1').startsWith('POST /api/v2/boxes ') ? addBox('raced', false) : undefined;
  expect(await copy(id)).toMatchObject({ state: 'done', pieces: { failed: 1 } });
  expect(await versionsHere('raced')).toEqual([]);
});

test('adds no image to a box made public after another image', async () => {
  const id = await planOf('between', [link, imageOf(9000, 1)]);
  let opening: Promise<unknown> | undefined;
  moves.source.proxy.onRequest = (bytes) => {
    if (!/^GET \S*\/providers\//.test(bytes.toString('latin1'))) return undefined;
    opening ??= expect
      .poll(async () => (await readMove(page, id)).pieces.linked)
      .toBe(1)
      .then(() => publicNow('between'));
    return opening;
  };
  expect(await copy(id)).toMatchObject({ state: 'done', pieces: { linked: 1, failed: 1 } });
  expect(await versionsHere('between')).toMatchObject([{ version: '1.0.0' }]);
});

test('releases nothing in a box made public after its images were copied', async () => {
  const id = await planOf('last', [link]);
  moves.here.proxy.onRequest = (bytes) =>
    /^POST \S*\/providers /.test(bytes.toString('latin1')) ? publicNow('last') : undefined;
  expect(await copy(id)).toMatchObject({ state: 'done', pieces: { linked: 1 } });
  expect(await versionsHere('last')).toMatchObject([{ status: 'unreleased' }]);
  const [item] = await itemsOf(page, id);
  expect(item?.problem?.detail).toContain('admin/last is public here now');
});

test('sends no last byte of an image to a box made public while it is sent', async () => {
  const id = await planOf('while', [imageOf(9000, 1)]);
  moves.here.proxy.onRequest = (bytes) =>
    /^GET \S*\/upload /.test(bytes.toString('latin1')) ? publicNow('while') : undefined;
  expect(await copy(id)).toMatchObject({ state: 'done', pieces: { failed: 1 } });
  expect(await versionsHere('while')).toMatchObject([{ providers: [{ size: null }] }]);
});
