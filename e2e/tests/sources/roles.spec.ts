import type { Page } from '@playwright/test';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test } from '../../fixtures/test.ts';
import { openScreen } from '../../fixtures/vocabulary.ts';

const mayNot = (what: string): RegExp =>
  new RegExp(`Your role in the access controller doesn't let you ${what}`);

async function expectNot(page: Page, button: string, what: string): Promise<void> {
  const found = page.getByRole('button', { name: button, exact: true });
  await expect(found, button).toHaveAttribute('aria-disabled', 'true');
  await expect(found, button).toHaveAccessibleDescription(mayNot(what));
}

test('a reader sees why no source can be changed, and gets no form', async ({
  openBrowser,
  sources,
  createTarget,
}) => {
  const [host, target] = [await sources.host('db-1'), await createTarget()];
  const [set, credential] = [await sources.hostSet('primaries', [host]), await sources.credential('app')];
  const catalog = `/local/host-sources/${(await sources.catalog()).id}`;
  const store = `/local/credential-sources/${(await sources.store()).id}`;
  const page = await openBrowser('read-only');

  await openScreen(page, '/local/host-sources');
  await expectNot(page, 'New host catalog', 'create host catalogs');
  await openScreen(page, catalog);
  await expectNot(page, 'Edit', 'edit this host catalog');
  await expectNot(page, 'New host set', 'create host sets here');
  await expectNot(page, 'New host', 'create hosts here');
  await openScreen(page, await sources.placeOfSet(set));
  await expectNot(page, 'Edit', 'edit this host set');
  await openScreen(page, `${catalog}/hosts/${host.id}`);
  await expectNot(page, 'Edit', 'edit this host');
  await openScreen(page, `${catalog}/hosts/${host.id}/edit`);
  await expect(page.getByText(mayNot('edit this host'))).toBeVisible();
  await expect(page.getByRole('form')).toHaveCount(0);

  await openScreen(page, '/local/credential-sources');
  await expectNot(page, 'New credential store', 'create credential stores');
  await openScreen(page, store);
  await expectNot(page, 'Edit', 'edit this credential store');
  await expectNot(page, 'New credential', 'create credentials here');
  await openScreen(page, await sources.placeOfCredential(credential));
  await expectNot(page, 'Edit', 'edit this credential');

  await openScreen(page, `/local/targets/${target.id}`);
  await expectNot(page, 'Change sources', 'change the host sources');
  await openScreen(page, `/local/targets/${target.id}/sources`);
  await expect(page.getByText("doesn't let you change the host sources of this target")).toBeVisible();
});

test('the service refuses a reader every change of sources, and changes nothing', async ({
  openBrowser,
  sources,
  project,
  createTarget,
  controller,
}) => {
  const [host, target] = [await sources.host('db-1'), await createTarget()];
  const [set, credential] = [await sources.hostSet('primaries'), await sources.credential('app')];
  const [catalog, store] = [await sources.catalog(), await sources.store()];
  const page = await openBrowser('read-only');
  const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', 'host-catalogs', { scope_id: project.id, name: 'x' }],
    ['PATCH', `host-catalogs/${catalog.id}`, { name: 'x' }],
    ['DELETE', `host-catalogs/${catalog.id}`],
    ['POST', 'host-sets', { host_catalog_id: catalog.id, name: 'x' }],
    ['PATCH', `host-sets/${set.id}`, { name: 'x' }],
    ['POST', `host-sets/${set.id}/hosts`, { action: 'add', host_ids: [host.id] }],
    ['DELETE', `host-sets/${set.id}`],
    ['POST', 'hosts', { host_catalog_id: catalog.id, attributes: { address: '10.0.0.1' } }],
    ['PATCH', `hosts/${host.id}`, { name: 'x' }],
    ['DELETE', `hosts/${host.id}`],
    ['POST', 'credential-stores', { scope_id: project.id, type: 'static', name: 'x' }],
    ['PATCH', `credential-stores/${store.id}`, { name: 'x' }],
    ['DELETE', `credential-stores/${store.id}`],
    [
      'POST',
      'credentials',
      { credential_store_id: store.id, type: 'password', name: 'x', attributes: { password: 'a secret' } },
    ],
    ['PATCH', `credentials/${credential.id}`, { name: 'x' }],
    ['DELETE', `credentials/${credential.id}`],
    ...['add', 'remove', 'set'].flatMap((action) => [
      ['POST', `targets/${target.id}/host-sources`, { action, host_source_ids: [set.id] }] as const,
      [
        'POST',
        `targets/${target.id}/credential-sources`,
        { action, brokered_credential_source_ids: [credential.id] },
      ] as const,
    ]),
    ['POST', `targets/${target.id}/authorize-session`, {}],
  ];
  for (const [method, path, data] of changes) {
    const answer = await page.context().request.fetch(`/api/environments/local/access/${path}`, {
      method,
      headers: { ...consoleHeaders, 'if-match': '"1"' },
      ...(data !== undefined && { data }),
    });
    expect(await answer.json(), `${method} ${path}`).toMatchObject({ status: 403, code: 'forbidden' });
  }
  for (const [collection, { id, version }] of [
    ['host-catalogs', catalog],
    ['host-sets', set],
    ['hosts', host],
    ['credential-stores', store],
    ['credentials', credential],
    ['targets', target],
  ] as const) {
    expect(await controller.read(collection, id), collection).toMatchObject({ version });
  }
});

test('an operator cancels only their own session', async ({ signedIn: page, openBrowser, createTarget }) => {
  const target = await createTarget();
  const path = '/api/environments/local/access';
  const authorize = async (by: Page): Promise<string> => {
    const answer = await by.context().request.post(`${path}/targets/${target.id}/authorize-session`, {
      headers: consoleHeaders,
      data: {},
    });
    const { session_id: id } = await answer.json();
    return id;
  };
  const operator = await openBrowser('operator');
  const [theirs, others] = [await authorize(operator), await authorize(page)];
  const cancel = (id: string) =>
    operator.context().request.post(`${path}/sessions/${id}/cancel`, {
      headers: { ...consoleHeaders, 'if-match': '"1"' },
    });
  expect((await cancel(others)).status()).toBe(403);
  await operator.goto(`/local/sessions?target=${target.id}&session=${theirs}`);
  await operator
    .getByRole('dialog', { name: /^Session/ })
    .getByRole('button', { name: 'Cancel session' })
    .click();
  await operator
    .getByRole('alertdialog', { name: /^Cancel the session/ })
    .getByRole('button', { name: 'Cancel session' })
    .click();
  await expect(operator.getByText(/ canceled$/).first()).toBeVisible();
  expect((await cancel(others)).status()).toBe(403);
});
