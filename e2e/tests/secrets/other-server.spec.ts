import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { startOtherConsole } from '../../fixtures/other-secrets-server.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test as base } from '../../fixtures/test.ts';

/** A console over one service alone: a secrets server that says that it is OpenBao, in a namespace. */
const test = base.extend({
  baseURL: async ({ stack }, use) => {
    await using console = await startOtherConsole(stack, {
      namespace: 'team/app',
      hasAccess: false,
      answer: (url) =>
        url.startsWith('/v1/sys/health')
          ? [200, { initialized: true, sealed: false, standby: false, version: '2.6.2' }]
          : undefined,
    });
    await use(console.origin);
  },
});

test.beforeEach(async ({ page }) => {
  await signInThroughApi(page.request, loginNames.administrator, password, 'local', 'secrets');
});

test('an environment without the other services shows and asks nothing of them', async ({ page }) => {
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
  await page.getByRole('combobox').or(page.getByRole('searchbox')).last().fill('targets');
  await expect(page.getByText(/Nothing matches/)).toBeVisible();
  expect(asked.filter((path) => /\/(?:access|boxes|modules)\b/.test(path))).toEqual([]);
});

test('its name, its namespace, and where passwords are checked are shown', async ({ page }) => {
  await page.goto('/local/connections');
  const row = page.getByRole('listitem').filter({ hasText: 'OpenBao 2.6.2' });
  await expect(row).toContainText('Namespace team/app, passwords checked at auth/userpass');
  await expectAccessible(page, 'connections to another server');
});

test('a path is opened by typing it, and code and numbers are as that server takes them', async ({
  page,
  secrets,
}) => {
  await page.goto('/local/secrets');
  const field = page.getByRole('textbox', { name: 'Open a path' });
  await field.fill('a//b');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText('Two slashes follow each other')).toBeVisible();
  await expectAccessible(page, 'the engines with a field for a path');
  await field.fill(`${secrets.mount}/app/`);
  await field.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/local/secrets/${secrets.mount}/folder/app$`));

  await page.getByRole('link', { name: 'New secret', exact: true }).click();
  await page.getByRole('textbox', { name: 'Path' }).fill('db');
  await page
    .getByRole('radio', { name: 'JSON' })
    .or(page.getByText('JSON', { exact: true }))
    .first()
    .click();
  await page.getByRole('textbox', { name: /JSON/ }).fill('{"id": 9007199254740993}');
  await expect(page.getByText('The server rounds a number')).toBeVisible();
  await expect(page.getByText('becomes 9007199254740992')).toBeVisible();
  await expect(page.getByRole('region', { name: 'As code' })).toContainText('bao kv put -namespace=team/app');
  await page.setViewportSize({ width: 400, height: 860 });
  await expectFits(page, 'a secret with a number that is rounded');
});
