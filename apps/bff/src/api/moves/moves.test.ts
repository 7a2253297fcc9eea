import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  copied,
  imageAt,
  imagePath,
  planned,
  reportOf,
  seedBox,
  startMoves,
  versionsOf,
  type MovesConsole,
} from '#test/moves.ts';
import { imageOf, sha256 } from '#test/publish.ts';

let moves: MovesConsole;
let page: Browser;
beforeAll(async () => {
  moves = await startMoves();
  page = await moves.here.signedIn();
});
afterAll(() => moves[Symbol.asyncDispose]());

test('boxes are planned, and copied with all that belongs to them', async () => {
  const { source, here } = moves;
  const [first, second, arm] = [imageOf(70_000, 1), imageOf(80_000, 2), imageOf(90_000, 3)];
  await seedBox(source, 'plain', [
    { version: '1.0.0', images: [{ image: first }] },
    {
      version: '2.0.0',
      images: [
        { image: second, isDefault: true },
        { image: arm, architecture: 'arm64' },
        { image: 'https://images.example/a.box', provider: 'libvirt' },
      ],
    },
    { version: '0.9.0', status: 'revoked', images: [{ image: first }] },
    { version: '3.0.0', status: 'unreleased', images: [{ image: first }] },
  ]);
  const plan = await planned(page, source, ['admin'], { token: source.direct.token });
  expect(plan).toMatchObject({
    state: 'planned',
    source: { has_token: false, used_token: true },
    items: { total: 1, chosen: 1, finished: 0, usable: 0 },
    versions: 4,
    pieces: { missing: 6 },
  });
  const done = await copied(page, plan.id, source.direct.token);
  expect(done).toMatchObject({
    state: 'done',
    items: { finished: 1, usable: 1 },
    pieces: { missing: 0, copied: 5, linked: 1 },
  });
  const { token } = here.direct;
  expect(await imageAt(here.server, token, imagePath('plain', '2.0.0'))).toBe(sha256(second));
  expect(await imageAt(here.server, token, imagePath('plain', '2.0.0', 'virtualbox', 'arm64'))).toBe(sha256(arm));
  expect((await versionsOf(page, plan.id, 'admin/plain')).map((one) => [one.version, one.status_here])).toEqual([
    ['3.0.0', 'unreleased'],
    ['2.0.0', 'active'],
    ['1.0.0', 'active'],
    ['0.9.0', 'revoked'],
  ]);
  expect(await reportOf(page, plan.id)).toHaveLength(6);
});
