import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let secrets: SecretsConsole;
let admin: Browser;

beforeAll(async () => {
  secrets = await startSecrets();
  admin = await secrets.signedIn();
});
afterAll(() => secrets[Symbol.asyncDispose]());

const day = (days: number): string =>
  new Date(secrets.server.clock.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Sets a secret's custom metadata as another client. */
async function setElsewhere(path: string, custom_metadata: Record<string, string>): Promise<void> {
  await secrets.direct.write(`secret/metadata/${path}`, { custom_metadata });
}
async function listed(page: Browser): Promise<readonly string[]> {
  const { status, json } = await page.send('GET', `${secretsApi}/dates`);
  expect(status).toBe(200);
  const items = json['items'] as { mount: string; path: string; kind: string; at: string }[];
  return items.map(({ mount, path, kind, at }) => `${mount}/${path} ${kind} ${at.slice(0, 10)}`);
}

test('secrets with dates are listed once the console has seen them, soonest first', async () => {
  await secrets.direct.write('secret/data/dates/a', { data: { a: 1 } });
  await setElsewhere('dates/a', { rotate_by: day(20), expires: day(31) });
  await setElsewhere('dates/b', { expires: day(-2), owner: 'ana' });
  expect(await listed(admin)).toEqual([]);
  await admin.send('GET', secretAt('dates/a'));
  const metadata = `${secretsApi}/mounts/secret/metadata/dates%2Fb`;
  const { json: seen } = await admin.send('GET', metadata);
  const both = [`secret/dates/b expires ${day(-2)}`, `secret/dates/a rotate_by ${day(20)}`];
  await expect.poll(() => listed(admin)).toEqual(both);
  const saved = await admin.send('PATCH', metadata, {
    revision: String(seen['revision']),
    body: { custom_metadata: { expires: day(3), rotate_by: 'soon' } },
  });
  expect(saved.status).toBe(200);
  const after = [`secret/dates/b expires ${day(3)}`, both[1]];
  await expect.poll(() => listed(admin)).toEqual(after);
  // As another user: only those whose metadata they may read.
  const one = await secrets.withPolicy('one', 'path "secret/metadata/dates/a" { capabilities = ["read"] }');
  expect(await listed(one)).toEqual([both[1]]);
  // Another client's changes count when the list is read.
  await setElsewhere('dates/a', { rotate_by: day(400) });
  await secrets.direct.delete('secret/metadata/dates/b');
  expect(await listed(admin)).toEqual([]);
  await setElsewhere('dates/b', { expires: day(1) });
  expect(await listed(admin)).toEqual([]);
});
