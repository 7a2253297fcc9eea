import type { RunProvider } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import { uploadOf } from '#components/publish/test-upload.ts';
import type { Sending } from '#lib/uploads/sending.ts';
import { tokenForecast } from './token-forecast.ts';

function upload(id: string, size: number, received: number): Pick<RunProvider, 'upload'> {
  const file = { name: 'base.box', size, last_modified: 0, fingerprint: 'f' };
  return { upload: uploadOf({ id, file, received }) };
}

/** Sends 1,000 bytes per second. */
function sending(id: string, sent: number): Sending {
  const samples = [
    { at: 0, bytes: 0 },
    { at: 1000, bytes: 1000 },
  ];
  return { id, state: 'sending', sent, size: 10_000, samples, reason: undefined };
}

test('a token must last until the rest is sent and the largest file is delivered', () => {
  // 4 s for the rest, 10 s for the delivery.
  const providers = [upload('a', 10_000, 6000)];
  expect(tokenForecast(providers, [sending('a', 6000)], 13_999)).toEqual({
    neededMs: 14_000,
    leftMs: 13_999,
  });
  expect(tokenForecast(providers, [sending('a', 6000)], 14_000)).toBeUndefined();
});

test('concurrent files share the bandwidth', () => {
  const providers = [upload('a', 10_000, 6000), upload('b', 5000, 1000)];
  const both = [sending('a', 6000), sending('b', 1000)];
  expect(tokenForecast(providers, both, 1000)?.neededMs).toBe(((4000 + 4000 + 10_000) / 2000) * 1000);
});

test('makes no forecast without data', () => {
  expect(tokenForecast([upload('a', 10_000, 0)], [], 1)).toBeUndefined();
  expect(
    tokenForecast([upload('a', 10_000, 0)], [{ ...sending('a', 0), state: 'paused' }], 1),
  ).toBeUndefined();
  expect(tokenForecast([{ upload: null }], [], 1)).toBeUndefined();
});
