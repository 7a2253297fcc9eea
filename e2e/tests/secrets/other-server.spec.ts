import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { startOtherConsole } from '../../fixtures/other-secrets-server.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test as base } from '../../fixtures/test.ts';
import { SecretForm } from '../../pages/secret-form.ts';

type Answer = readonly [status: number, body: unknown];

const refused: Answer = [403, { errors: ['1 error occurred:\n\t* permission denied\n\n'] }];
const tooLarge: Answer = [
  500,
  { errors: ['put failed due to value being too large; got 1200000 bytes, max: 1048576 bytes'] },
];
const plain = { type: 'kv', description: 'before versions', options: null };
const versioned = { type: 'kv', description: '', options: { version: '2' } };
/** The other server's own answers, by address. */
const answers: readonly (readonly [address: RegExp, answer: Answer])[] = [
  [/^\/v1\/sys\/health/, [200, { initialized: true, sealed: false, standby: false, version: '2.6.2' }]],
  [
    /^\/v1\/sys\/internal\/ui\/mounts$/,
    [200, { data: { auth: {}, secret: { 'plain/': plain, 'secret/': versioned } } }],
  ],
  [/^\/v1\/sys\/internal\/ui\/mounts\/plain$/, [200, { data: plain }]],
  [/^\/v1\/plain\/app$/, [200, { data: { user: 'ann', password: 'x' } }]],
  [/^\/v1\/plain\?list/, [200, { data: { keys: ['app'] } }]],
  [
    /^\/v1\/hidden\/data\/app$/,
    [200, { data: { data: { user: 'ann' }, metadata: { version: 3, created_time: '' } } }],
  ],
  [/^\/v1\/hidden\//, refused],
  [/^\/v1\/sys\/internal\/ui\/mounts\/small$/, [200, { data: { type: 'kv', options: { version: '2' } } }]],
  [/^\/v1\/small\//, [404, { errors: [] }]],
];

/** A console with one service only: a secrets server that identifies as OpenBao, in a namespace. */
const test = base.extend({
  baseURL: async ({ stack }, use) => {
    await using console = await startOtherConsole(stack, {
      namespace: 'team/app',
      hasAccess: false,
      answer: (url, method) =>
        method === 'POST' && url.startsWith('/v1/small/data/')
          ? tooLarge
          : answers.find(([address]) => address.test(url))?.[1],
    });
    await use(console.origin);
  },
});

test.beforeEach(async ({ page }) => {
  await signInThroughApi(page.request, loginNames.administrator, password, 'local', 'secrets');
});

test('an environment without the other services neither shows nor calls them', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/local');
  await expect(page.getByText('OpenBao 2.6.2')).toBeVisible();
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link', { name: 'Secrets', exact: true })).toBeVisible();
  for (const name of ['Targets', 'People', 'Boxes', 'Modules']) {
    await expect(main.getByRole('link', { name, exact: true })).toHaveCount(0);
  }
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('targets');
  await expect(page.getByText(/^No results/)).toBeVisible();
  expect(asked.filter((path) => /\/(?:access|boxes|modules)\b/.test(path))).toEqual([]);

  await page.goto('/local/connections');
  const row = page.getByRole('listitem').filter({ hasText: 'OpenBao 2.6.2' });
  await expect(row).toContainText('Namespace team/app, passwords checked at auth/userpass');
  await expectAccessible(page, 'connections to another server');
});

test('the address of a service that the environment lacks says so', async ({ page }) => {
  await page.goto('/local/boxes/publish');
  await expect(page.getByRole('heading', { level: 1, name: 'Local has no box registry' })).toBeVisible();
  await expect(page.getByText('No other environment in this console has one either')).toBeVisible();
  await expectAccessible(page, 'a screen of a service that is not there');
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await expect(page).toHaveURL(/\/local$/);
});

test('a path is opened by typing it, and code and numbers fit that server', async ({ page, secrets }) => {
  await page.goto('/local/secrets');
  const field = page.getByRole('textbox', { name: 'Open a path' });
  await field.fill('a//b');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Two slashes in a row')).toBeVisible();
  await expectAccessible(page, 'the engines with a field for a path');
  await field.fill(`${secrets.mount}/app/`);
  await field.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/local/secrets/${secrets.mount}/folder/app$`));

  await page.getByRole('link', { name: 'New secret', exact: true }).click();
  const form = new SecretForm(page, secrets);
  await form.path.fill('db');
  await form.add('id', '9007199254740993');
  // A typed value is text, of which nothing is rounded.
  await expect(page.getByText('The server rounds a number')).toHaveCount(0);
  await page.getByRole('radiogroup', { name: 'Edit as' }).getByRole('radio', { name: 'JSON' }).click();
  await form.json.fill('{"id": 9007199254740993}');
  await expect(page.getByText('The server rounds a number')).toBeVisible();
  await expect(page.getByText('becomes 9007199254740992')).toBeVisible();
  await expect(page.getByRole('region', { name: 'As code' })).toContainText('bao kv put -namespace=team/app');
  await page.setViewportSize({ width: 400, height: 860 });
  await expectFits(page, 'a secret with a number that is rounded');
});

test('a secret that is too large for the server is refused with its limit', async ({ page, secrets }) => {
  await page.goto('/local/secrets/small/folder');
  await page.getByRole('link', { name: 'New secret', exact: true }).first().click();
  const form = new SecretForm(page, secrets);
  await form.path.fill('large');
  await form.add('value', 'x');
  await form.saveVersion.click();
  await expect(form.problem).toContainText('Too large');
  await expect(form.problem).toContainText('The limit is 1,048,576 bytes.');
});

test("an engine without versions is read, a path is opened if names are hidden, and a missing engine isn't an empty folder", async ({
  page,
}) => {
  await page.goto('/local/secrets/plain/folder');
  await expect(page.getByText('You can read its secrets here, but not write them')).toBeVisible();
  await page.getByRole('grid').getByRole('link', { name: 'app', exact: true }).click();
  await expect(page.getByText('You can read this secret here, but not write it')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Fields' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);
  await expectAccessible(page, 'a secret without versions');

  for (const screen of ['new', 'settings', 'metadata/app', 'recycle-bin']) {
    await page.goto(`/local/secrets/plain/${screen}`);
    await expect(page.getByText("This engine isn't versioned", { exact: true })).toBeVisible();
    await expect(page.getByText('bao kv enable-versioning -namespace=team/app plain/')).toBeVisible();
  }
  await expectAccessible(page, 'a screen that an engine without versions has nothing for');

  await page.goto('/local/secrets/hidden/folder');
  await page.getByRole('textbox', { name: 'Open a path' }).fill('app');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(/\/local\/secrets\/hidden\/secret\/app$/);
  await expect(page.getByRole('list', { name: 'Fields' }).getByRole('listitem')).toHaveCount(1);

  await page.goto('/local/secrets/nowhere/folder');
  await expect(page.getByText('No engine is mounted at "nowhere"')).toBeVisible();
  await expect(page.getByRole('link', { name: 'New secret', exact: true })).toHaveCount(0);
});

test('a secret is copied from an engine without versions', async ({ page, secrets }) => {
  await page.goto('/local/secrets/plain/secret/app');
  await page.getByRole('button', { name: 'More actions for plain/app' }).click();
  await page.getByRole('menuitem', { name: 'Copy to another engine' }).click();
  await expect(page.getByRole('radiogroup')).toHaveCount(0);
  const name = `copy-${secrets.mount}`;
  await page.getByRole('textbox', { name: 'New path' }).fill(name);
  await expect(page.getByText("The newest, as version 1. The engine isn't versioned")).toBeVisible();
  await expectAccessible(page, 'copying out of an engine without versions');
  await page.getByRole('button', { name: 'Copy secret' }).click();
  await expect(page.getByText('1 secret written.')).toBeVisible();
  await page.goto(`/local/secrets/secret/secret/${name}`);
  await expect(page.getByRole('list', { name: 'Fields' }).getByRole('listitem')).toHaveCount(2);
});
