import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { serve } from '../../fixtures/other-site.ts';
import { expect, test } from '../../fixtures/vault-test.ts';
import { expectFieldError, expectToast, question, visit } from '../../fixtures/vocabulary.ts';
import { RecordForm } from '../../pages/record-form.ts';

test('stores and libraries are managed, and serve sessions', async ({
  signedIn: page,
  project,
  vault,
  createTarget,
}) => {
  test.slow();
  await test.step("a store's secrets server is checked before its creation, and a library is created, edited and deleted", async () => {
    await page.goto('/local/credential-sources/new');
    const store = new RecordForm(page, 'credential store');
    await store.form.getByRole('radiogroup', { name: 'Type' }).getByText('Vault', { exact: true }).click();
    await store.field('Name').fill('secrets server');
    await store.form.getByRole('combobox', { name: 'Project' }).fill(project.name);
    await page.getByRole('option', { name: project.name }).click();
    await store.field('Address').fill('nonsense');
    await store.save('Create credential store').click();
    await expectFieldError(store.form, 'Address', /Enter an address such as/);
    await expectFieldError(store.form, 'Token', /Enter a token/);
    await expectAccessible(page, 'new store of type vault');
    await store.field('Address').fill('http://127.0.0.1:1');
    await store.field('Token').fill('not-a-token');
    await store.save('Create credential store').click();
    await expectFieldError(store.form, 'Address', /can't be reached/);
    await store.field('Address').fill(vault.address);
    await store.save('Create credential store').click();
    await expectFieldError(store.form, 'Token', /doesn't accept the token/);
    await store.field('Token').fill(await vault.token());
    await store.save('Create credential store').click();
    await expectToast(page, 'Credential store secrets server created');
    await expect(page.getByText('No libraries you can see')).toBeVisible();
    const storeUrl = new URL(page.url()).pathname;

    await page.getByRole('link', { name: 'Create the first library' }).click();
    const library = new RecordForm(page, 'credential library');
    await library.field('Name').fill('orders');
    await library.save('Create credential library').click();
    await expectFieldError(library.form, 'Path', /Enter the path that issues/);
    await library.field('Path').fill('secret/data/databases/orders');
    await library.form.getByRole('radiogroup', { name: 'Method' }).getByText('POST', { exact: true }).click();
    await library.field('Body').fill('[]');
    await library.save('Create credential library').click();
    await expectFieldError(library.form, 'Body', /Enter a JSON object/);
    await library.form.getByRole('radiogroup', { name: 'Method' }).getByText('GET', { exact: true }).click();
    await expect(library.field('Body')).toBeHidden();
    await library.field('User name is in').fill('login');
    await expectAccessible(page, 'new library');
    await library.save('Create credential library').click();
    await expectToast(page, 'Credential library orders created');
    await expect(page.getByText('secret/data/databases/orders', { exact: true })).toBeVisible();
    await expectAccessible(page, 'library');

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await library.field('User name is in').fill('');
    await library.field('Description').fill('of the orders');
    await library.save('Save credential library').click();
    await expectToast(page, 'Credential library orders saved');
    await visit(page, storeUrl);
    const grid = page.getByRole('grid', { name: 'Credential libraries' });
    await expect(grid.getByRole('link', { name: 'orders', exact: true })).toBeVisible();
    await expectAccessible(page, 'store of type vault');
    await page.getByText('Details', { exact: true }).click();
    await expect(page.getByText('Token expires')).toBeVisible();
    await expectAccessible(page, 'details of a store of type vault');

    await page.getByRole('button', { name: 'More actions for secrets server' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete credential store secrets server?' });
    await expect(dialog).toContainText('Deleted with it: 1 library. Its token is revoked');
    await dialog.getByRole('textbox').fill('secrets server');
    await dialog.getByRole('button', { name: 'Delete credential store' }).click();
    await expectToast(page, 'Credential store secrets server deleted');
  });
  await test.step("a session has the library's credentials, and target, library and secret link to each other", async () => {
    const name = 'billing';
    await vault.secret(name, { username: 'billing_app', password: 'what the library reads' });
    const store = await vault.store('secrets', await vault.token());
    const library = await vault.library(store, name);
    const target = await createTarget();
    await visit(page, `/local/targets/${target.id}/sources`);
    const form = new RecordForm(page, 'target');
    await form.toggle('Brokered credentials', name);
    await form.save('Save sources').click();
    await expectToast(page, /^Sources of .* saved$/);

    await page.getByRole('button', { name: 'Authorize session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Authorize session' }).click();
    await expect(dialog.getByText('billing_app', { exact: true })).toBeVisible();
    await expect(dialog.getByText('what the library reads')).toBeHidden();
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Targets that use it' })).toContainText(target.name);
    expect(page.url()).toContain(library.id);
    await expect(page.getByRole('link', { name: `secret/databases/${name}` })).toHaveAttribute(
      'href',
      `/local/secrets/secret/secret/databases/${name}`,
    );
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: target.name })).toBeVisible();
    await page.getByRole('link', { name: `secret/databases/${name}` }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect(
      page.getByText(`New sessions on 1 target get the version that you save: ${target.name}.`),
    ).toBeVisible();
    await page.getByRole('link', { name, exact: true }).click();
    const users = page.getByRole('list', { name: 'Targets that use it' });
    await users.getByRole('link', { name: target.name }).click();
    await expect(page.getByRole('heading', { level: 1, name: target.name })).toBeVisible();
  });
});

test("a store's token is revoked, and required again with another address", async ({
  signedIn: page,
  vault,
  createTarget,
  controller,
}) => {
  test.slow();
  await test.step('a store reports its revoked token, also when a session is authorized, and a new token replaces it', async () => {
    const token = await vault.token();
    await vault.secret('stock', { username: 'stock_app', password: 'what the library reads' });
    const store = await vault.store('secrets', token);
    const target = await createTarget();
    await vault.broker(target, await vault.library(store, 'stock'));
    await vault.revoke(token);
    await page.goto(`/local/targets/${target.id}`);
    await page.getByRole('button', { name: 'Authorize session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Authorize session' }).click();
    await expect(dialog.getByRole('alert')).toContainText("the store's token was revoked");
    await expectAccessible(page, 'a session without its credential');
    await dialog.getByRole('link', { name: 'Open the store' }).click();
    await expect(page.getByRole('alert')).toContainText('The token was revoked');
    await expectAccessible(page, 'a store whose token was revoked');

    await page.getByRole('alert').getByRole('link', { name: 'Rotate token' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Rotate the token of secrets' })).toBeVisible();
    const form = new RecordForm(page, 'credential store');
    await form.field('New token').fill('not-a-token');
    await form.replaceSecret('Save credential store', 'secrets');
    await expectFieldError(form.form, 'New token', /doesn't accept the token/);
    await form.field('New token').fill(await vault.token());
    await form.replaceSecret('Save credential store', 'secrets');
    await expectToast(page, 'Credential store secrets saved');
    await expect(page.getByRole('grid', { name: 'Credential libraries' }).getByRole('link')).toHaveText(
      'stock',
    );
    await expect(page.getByText('The token was revoked')).toBeHidden();
    expect((await controller.read('credential-stores', store.id)).version).toBe(2);
    await visit(page, `/local/targets/${target.id}`);
    await page.getByRole('button', { name: 'Authorize session' }).click();
    await dialog.getByRole('button', { name: 'Authorize session' }).click();
    await expect(dialog.getByText('stock_app', { exact: true })).toBeVisible();
  });
  await test.step('a store with a new address asks for its token again, which is sent to nobody before', async () => {
    const token = await vault.token();
    const store = await vault.store('moved', token);
    const asked: string[] = [];
    await using listener = await serve((request, response) => {
      asked.push(JSON.stringify(request.headers));
      response.writeHead(403).end('{"errors":["permission denied"]}');
    });
    const elsewhere = `http://127.0.0.1:${listener.port}`;

    await visit(page, `/local/credential-sources/${store.id}/edit`);
    const form = new RecordForm(page, 'credential store');
    await expect(form.field('New token')).not.toHaveAttribute('required');
    await form.field('Address').fill(elsewhere);
    await expect(
      form.form.getByText("The stored token isn't reused when the connection changes"),
    ).toBeVisible();
    await expect(page.getByRole('complementary')).toContainText('-vault-token=env://VAULT_TOKEN');
    await form.save('Save credential store').click();
    await expectFieldError(
      form.form,
      'New token',
      /Enter the token again: the stored token isn't reused when/,
    );
    await expect(form.field('New token')).toBeFocused();
    await expectAccessible(page, 'a store whose address was changed');
    expect(asked).toEqual([]);

    // After undoing, nothing is asked for any more.
    await form.field('Address').fill(vault.address);
    await expect(form.form.getByText('Enter the token again')).toBeHidden();
    await form.field('Address').fill(elsewhere);
    await form.field('New token').fill('hvs.of-another-server');
    await form.replaceSecret('Save credential store', 'moved');
    await expectFieldError(form.form, 'New token', /doesn't accept the token/);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.join()).not.toContain(token);
    await form.field('Address').fill(vault.address.replace('127.0.0.1', 'localhost'));
    await form.field('New token').fill(token);
    await form.replaceSecret('Save credential store', 'moved');
    await expectToast(page, 'Credential store moved saved');
    await expect(page.getByText('No libraries you can see')).toBeVisible();
  });
});

test('a library is replaced by another one and deleted, and its screens fit a narrow window', async ({
  signedIn: page,
  vault,
  controller,
  createTarget,
}) => {
  const store = await vault.store('secrets', await vault.token());
  const [old, next] = [await vault.library(store, 'old-login'), await vault.library(store, 'new-login')];
  const target = await createTarget();
  await vault.broker(target, old);
  const here = `/local/credential-sources/${store.id}/libraries/${old.id}`;
  await page.goto(here);
  await page.getByRole('link', { name: 'Replace', exact: true }).click();
  await page.getByRole('combobox', { name: 'Replacement' }).fill('new');
  await page.getByRole('option', { name: /^new-login.*Library: user name and password/ }).click();
  await expectAccessible(page, 'retiring a library');
  await page.getByRole('button', { name: 'Replace in 1 target' }).click();
  await expect(page.getByText('old-login replaced')).toBeVisible();
  expect((await controller.read('targets', target.id)).members).toMatchObject({
    brokered_credential_source_ids: [next.id],
  });
  await page.getByRole('link', { name: 'Back to old-login' }).click();
  await page.getByRole('button', { name: 'More actions for old-login' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await question(page).getByRole('button', { name: 'Delete credential library' }).click();
  await expectToast(page, 'Credential library old-login deleted');

  await page.setViewportSize({ width: 320, height: 560 });
  const at = `/local/credential-sources/${store.id}`;
  const shown = `${at}/libraries/${next.id}`;
  for (const screen of [at, `${at}?tab=details`, `${at}/edit`, `${at}/token`, shown, `${shown}/edit`]) {
    await visit(page, screen);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: /^Loading/ })).toHaveCount(0);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectFits(page, screen);
  }
});
