import { webhook } from '@gatehouse/api-types/console/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';

const path = '/api/environments/test/access/webhooks';
let embedded: EmbeddedConsole;
let page: Browser;

beforeAll(async () => {
  embedded = await startEmbedded();
  page = await embedded.signedIn('operator');
});
afterAll(() => embedded.close());

test('a webhook is silenced at the revision that was seen, and not twice', async () => {
  const body = {
    scope_id: 'p_1234567890',
    name: 'hook',
    description: '',
    address: 'https://hooks.example/in',
    token: 'token',
    events: ['session-ended'],
  };
  const { id } = z.parse(webhook, (await page.send('POST', path, { body })).json);
  const silence = (revision?: string) =>
    page.send('POST', `${path}/${id}/silence`, { ...(revision !== undefined && { revision }) });
  expect((await silence()).json).toMatchObject({ code: 'revision-required' });

  await page.send('PATCH', `${path}/${id}`, { revision: '1', body: { description: 'theirs' } });
  expect((await silence('1')).json).toMatchObject({ code: 'conflict', conflict: { reason: 'modified' } });
  expect((await silence('2')).json).toMatchObject({ revision: '3', events: [] });

  const reader = await embedded.signedIn('read-only');
  const refused = await reader.send('POST', `${path}/${id}/silence`, { revision: '3' });
  expect(refused.json).toMatchObject({ code: 'forbidden' });
});
