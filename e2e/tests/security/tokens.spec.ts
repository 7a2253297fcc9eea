import { createCanaries } from '../../fixtures/canaries.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { watchContext } from '../../fixtures/watch.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { Shell } from '../../pages/shell.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('no token that the console uses at a service reaches the browser', async ({
  remote: { page, proxy, watch },
  canaries,
  project,
  createTarget,
}) => {
  const created = await createTarget();
  const tokens = new Set<string>();
  proxy.onRequest = (bytes) => {
    const [, token] = /^authorization: bearer (\S+)/im.exec(bytes.toString('latin1')) ?? [];
    if (token === undefined) return;
    tokens.add(token);
    canaries.add(token);
  };
  // Everything that a user comes across, including failures and refusals.
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await expect(targets.names).toHaveText([created.name]);
  expect([...tokens]).toHaveLength(1);
  await targets.filterBy('"/item/type" ==');
  await expect(targets.filter).toHaveAttribute('aria-invalid', 'true');
  const form = new TargetForm(page);
  await form.open(created.id);
  await form.description.fill('mine');
  proxy.fault = { kind: 'garbage', seed: 3 };
  proxy.drop();
  await form.save.click();
  await expect(form.problem).toBeVisible();
  proxy.fault = { kind: 'none' };
  await form.save.click();
  await expectToast(page, `Target ${created.name} saved`);
  await expect(new TargetPage(page).value('Description')).toHaveText('mine');
  await page.goto('/local/targets/ttcp_0000000000');
  await expect(page.getByRole('alert')).toBeVisible();
  await new Shell(page).screen('Connections').click();
  await expect(new ConnectionsPage(page).service('Access controller')).toContainText('Connected');
  await new Shell(page).screen('Overview').click();
  await expect(page.getByRole('link', { name: created.name })).toBeVisible();
  const openApi = await page.evaluate(async () =>
    (await fetch('/api/openapi.json', { headers: { 'x-gatehouse': 'console' } })).text(),
  );
  expect(openApi).toContain('"openapi":"3.1');

  // The watch recognizes this service's tokens by their form, so it would also find one that no test knows.
  for (const token of tokens) expect(createCanaries().find(`{"token":"${token}"}`)).toHaveLength(1);
  expect(watch.findings).toEqual([]);
});

test("the watch finds a service's token in an answer", async ({ browser, stack, baseURL }) => {
  const { access } = stack.environments[0] ?? {};
  const answer = await fetch(`${access?.url}/v1/auth-methods/ampw_1234567890:authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      command: 'login',
      type: 'token',
      attributes: { login_name: loginNames.administrator, password },
    }),
  });
  const token = /"token":"([^"]+)"/.exec(await answer.text())?.[1] ?? '';
  expect(token).not.toBe('');
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
  const watch = await watchContext(context, createCanaries());
  await signInThroughApi(context.request, loginNames.administrator, password);
  const page = await context.newPage();
  await page.goto('/local');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  expect(watch.findings).toEqual([]);
  await page.route('**/api/preferences*', (route) => route.fulfill({ json: { token } }));
  await page.evaluate(async () => (await fetch('/api/preferences')).text());
  await watch.finish();
  await context.close();
  expect(watch.findings).toHaveLength(1);
  expect(watch.findings[0]).toMatch(/^secret at_\w+… in the answer of /);
});
