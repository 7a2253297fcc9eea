/** What a move does to versions that are released here already, in a production environment. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import {
  act,
  copied,
  moveIn,
  moveOnce,
  planned,
  seedBox,
  startMoves,
  type MovesConsole,
} from '#test/moves.ts';

let moves: MovesConsole;
let page: Browser;
beforeAll(async () => {
  moves = await startMoves({ kind: 'production' });
  page = await moves.here.signedIn();
});
afterAll(() => moves[Symbol.asyncDispose]());

const url = 'https://images.example/image.box';
const at = (box: string): string => `/api/v2/box/admin/${box}/version/1.0.0`;
const statusHere = async (box: string): Promise<unknown> =>
  (await moves.here.direct.get(at(box))).body['status'];

test('a version that someone releases after the plan stays released, though the source revoked it', async () => {
  const { source, here } = moves;
  const version = { version: '1.0.0', images: [{ image: url }] };
  await seedBox(source, 'revoked', [{ ...version, status: 'revoked' }]);
  await seedBox(here, 'revoked', [{ ...version, status: 'unreleased' }]);
  const plan = await planned(page, source, ['admin/revoked']);
  await here.direct.put(`${at('revoked')}/release`, {});
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { here: 1 } });
  expect(await statusHere('revoked')).toBe('active');
});

test('a version that the move released and could not revoke is revoked once that is retried', async () => {
  const { source, here } = moves;
  await seedBox(source, 'halfway', [{ version: '1.0.0', status: 'revoked', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/halfway']);
  here.proxy.onRequest = (bytes) => {
    if (!bytes.toString('latin1').includes('/revoke ')) return undefined;
    here.proxy.fault = { kind: 'hang up' };
    here.proxy.drop();
    // It does not reach the registry.
    return new Promise(() => undefined);
  };
  await copied(page, plan.id);
  expect(await statusHere('halfway')).toBe('active');
  delete here.proxy.onRequest;
  here.proxy.fault = { kind: 'none' };
  moveIn(await act(page, plan.id, 'retry', { item: null, token: '' }));
  await moveOnce(page, plan.id, ['done']);
  expect(await statusHere('halfway')).toBe('revoked');
});
