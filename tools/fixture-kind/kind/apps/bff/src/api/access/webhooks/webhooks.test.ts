import { DatabaseSync } from 'node:sqlite';
import { webhook } from '@gatehouse/api-types/console/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';

const path = '/api/environments/test/access/webhooks';
let embedded: EmbeddedConsole;
let page: Browser;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbedded();
  page = await embedded.signedIn('operator');
});
afterAll(() => embedded.close());

const fields = () => ({
  scope_id: 'p_1234567890',
  name: `hook ${++count}`,
  address: 'https://hooks.example/in',
  token: 'canary-token',
  events: ['target-changed', 'session-ended'],
  description: '',
});

async function create() {
  const answer = await page.send('POST', path, { body: fields() });
  expect(answer.status, answer.text).toBe(200);
  return z.parse(webhook, answer.json);
}

test('webhooks are created, read, listed, changed and deleted; a token is never answered', async () => {
  const made = await create();
  expect(made).toMatchObject({ revision: '1', events: ['session-ended', 'target-changed'] });
  const at = `${path}/${made.id}`;
  expect((await page.send('GET', at)).json).toEqual(made);
  expect((await page.send('GET', `${path}?scope_id=global&recursive=true`)).json['items']).toEqual([made]);

  const changed = await page.send('PATCH', at, { revision: '1', body: { token: 'another', events: [] } });
  expect(changed.json).toMatchObject({ revision: '2', events: [] });
  expect(changed.json['token_hmac']).not.toBe(made.token_hmac);
  expect(changed.text).not.toContain('another');

  expect((await page.send('DELETE', at, { revision: '2' })).status).toBe(204);
  expect((await page.send('GET', at)).json).toMatchObject({ code: 'not-found' });
});

test('what others changed meanwhile is neither changed nor deleted', async () => {
  const { id } = await create();
  const at = `${path}/${id}`;
  await page.send('PATCH', at, { revision: '1', body: { description: 'theirs' } });
  const conflict = { code: 'conflict', conflict: { reason: 'modified', current: { description: 'theirs' } } };
  expect((await page.send('PATCH', at, { revision: '1', body: { description: 'mine' } })).json).toMatchObject(
    conflict,
  );
  expect((await page.send('DELETE', at, { revision: '1' })).json).toMatchObject(conflict);
  expect((await page.send('DELETE', at)).json).toMatchObject({ code: 'revision-required' });
});

test('what cannot be is refused, by its field', async () => {
  const wrong = { ...fields(), address: 'nowhere', token: '' };
  expect((await page.send('POST', path, { body: wrong })).json).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'address' }, { path: 'token' }],
  });
  const foreign = await page.send('POST', path, { body: { ...fields(), events: ['rain'] } });
  expect(foreign.json).toMatchObject({ code: 'invalid-request', fields: [{ path: 'events' }] });
  const reader = await embedded.signedIn('read-only');
  expect((await reader.send('POST', path, { body: fields() })).json).toMatchObject({ code: 'forbidden' });
});

test('the audit trail holds every write, and no token', async () => {
  await create();
  const trail = new DatabaseSync(`${embedded.console.dataDir}/console.db`, { readOnly: true });
  const rows = trail.prepare("SELECT * FROM audit WHERE action LIKE 'webhook.%'").all();
  trail.close();
  expect(new Set(rows.map(({ action }) => action))).toEqual(
    new Set(['webhook.create', 'webhook.update', 'webhook.delete']),
  );
  expect(JSON.stringify(rows)).not.toContain('canary-token');
});
