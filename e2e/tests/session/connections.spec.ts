import { expectAccessible } from '../../fixtures/accessible.ts';
import { endTokens } from '../../fixtures/end-tokens.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { ConnectionsPage } from '../../pages/connections-page.ts';
import { connectAgain, signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('sessions are listed, and one is ended from another browser', async ({ createPerson, openBrowser }) => {
  const person = await createPerson();
  const [here, there] = [await openBrowser(person), await openBrowser(person)];
  const connections = new ConnectionsPage(here);
  await connections.open();
  await there.goto('/local');
  await expect(new Shell(there).screen('Targets')).toBeVisible();
  await expect(connections.sessions).toHaveCount(2);
  await expect(connections.sessions.first()).toContainText('This session');
  await expect(connections.sessions.nth(1)).toContainText(/Chrom\w+ \d+ on \w+/);
  await connections.sessions.nth(1).getByRole('button', { name: 'End' }).click();
  await expect(connections.sessions).toHaveCount(1);
  await expect(connections.endOthers).toHaveAccessibleDescription('This is your only session.');

  // The page may have noticed already, and asks before anything can be clicked.
  await new Shell(there).screen('Targets').dispatchEvent('click');
  await expect(signInAgain(there).dialog).toContainText(
    'The session was ended, perhaps from another browser.',
  );
});

test('all other sessions are ended at once', async ({ createPerson, openBrowser }) => {
  const person = await createPerson();
  const here = await openBrowser(person);
  const others = [await openBrowser(person), await openBrowser(person)];
  const connections = new ConnectionsPage(here);
  await connections.open();
  await expect(connections.sessions).toHaveCount(3);
  await connections.endOthers.click();
  await here.getByRole('button', { name: 'End 2 sessions' }).click();
  await expectToast(here, '2 sessions were ended');
  await expect(connections.sessions).toHaveCount(1);
  for (const other of others) {
    await other.goto('/local');
    await expect(other).toHaveURL(/\/sign-in\?.*reason=ended/);
    await expect(other.getByText('Your session was ended.')).toBeVisible();
  }
  await here.reload();
  await expect(connections.sessions).toHaveCount(1);
});

test("a service's token that ends during an edit is replaced in place, and the edit continues", async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
  controller,
}) => {
  const target = await createTarget();
  const person = await createPerson();
  const page = await openBrowser(person);
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  await endTokens(stack.environments[0]?.access.url ?? '', person.id);
  await form.save.click();
  const connect = connectAgain(page);
  await expect(connect.dialog).toContainText(
    "You aren't connected to this service in Local. Connect to continue.",
  );
  await connect.enter('not the password');
  await expect(connect.problem).toContainText('Sign-in failed');
  await connect.enter(password);
  await expectToast(page, `Target ${target.name} saved`);
  expect((await controller.read('targets', target.id)).description).toBe('mine');
});

test("a password changed elsewhere ends its user's sessions immediately", async ({
  stack,
  createPerson,
  openBrowser,
}) => {
  const person = await createPerson();
  const page = await openBrowser(person);
  await stack.accounts.setPassword(person.id, 'another password');
  await page.goto('/local/targets');
  await expect(page.getByText('Your session was ended.')).toBeVisible();
});

test('a page whose token has ended offers to connect in place of its content', async ({
  stack,
  createPerson,
  createTarget,
  openBrowser,
}) => {
  const target = await createTarget();
  const person = await createPerson();
  const page = await openBrowser(person);
  await endTokens(stack.environments[0]?.access.url ?? '', person.id);
  await page.goto(`/local/targets/${target.id}`);
  const place = page.getByRole('region', { name: 'Not connected to the access controller' });
  await expect(place).toBeVisible();
  await expect(new Shell(page).service('Access controller')).toHaveAccessibleName(/Token expired/);
  await place.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(new TargetPage(page).heading).toHaveText(target.name);
  await expect(new Shell(page).service('Access controller')).toHaveAccessibleName(/Connected/);
});

test('connections are ended and made per environment', async ({ createPerson, openBrowser }) => {
  const page = await openBrowser(await createPerson());
  await test.step('a service is disconnected and connected again', async () => {
    const connections = new ConnectionsPage(page);
    await connections.open();
    const row = connections.service('Access controller');
    await expect(row).toContainText('Connected');
    await expect(row).toContainText('Expires after your session');
    await row.getByRole('button', { name: 'Disconnect' }).click();
    await page
      .getByRole('alertdialog', { name: 'Disconnect from the access controller?' })
      .getByRole('button', { name: 'Disconnect' })
      .click();
    await expect(row).toContainText('Not connected');
    await expect(new Shell(page).service('Access controller')).toHaveAccessibleName(/Not connected/);
    await row.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expectToast(page, 'Connected to the access controller of Local');
    await expect(row).toContainText(/Token lasts \d/);
  });
  await test.step('each environment has its own connection, which is offered when switching to one without', async () => {
    const targets = new TargetsPage(page);
    await targets.open();
    await expect(targets.link('Well-known target').or(targets.names.first())).toBeVisible();
    await new Shell(page).switchTo('Production');
    await expect(page).toHaveURL(/\/production\/targets$/);
    const place = page.getByRole('region', { name: 'Not connected to the access controller' });
    await place.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(targets.names.first()).toBeVisible();
  });
  await test.step('its services have the same accounts and are connected together', async () => {
    const connections = new ConnectionsPage(page);
    await connections.open('production');
    await expect(page.getByRole('group', { name: /^Production/ })).toHaveAccessibleName(/all connected$/);
  });
});

test('services with different accounts are connected with one password, and each says why not', async ({
  remote: { page, boxes, origin },
}) => {
  await page.goto(`${origin}/local/connections`);
  const connections = new ConnectionsPage(page);
  const access = connections.service('Access controller');
  await access.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(access).toContainText('Not connected');
  await page.getByRole('button', { name: 'Connect 2 services' }).click();
  const dialog = connectAgain(page, 'services of Local', 'Connect 2 services');
  await expectAccessible(page, 'the form for several services');
  const choice = (name: string) => dialog.dialog.getByRole('checkbox', { name });
  await choice('Access controller').uncheck();
  await expect(choice('Box registry')).toHaveAccessibleDescription('Choose at least one.');
  await expect(dialog.dialog.getByRole('button', { name: 'Connect to the box registry' })).toBeVisible();
  await choice('Access controller').check();
  boxes.fault = { kind: 'hang up' };
  await dialog.enter(password);
  const service = (name: string) => dialog.dialog.getByRole('listitem').filter({ hasText: name });
  await expect(service('Access controller')).toContainText('Connected');
  await expect(service('Box registry')).toContainText('Box registry unreachable');
  boxes.fault = { kind: 'none' };
  await connectAgain(page, 'services of Local', 'Connect to the box registry').enter(password);
  await expectToast(page, 'Connected to the access controller and box registry of Local');
  await expect(page.getByRole('group', { name: /^Local/ })).toHaveAccessibleName(/all connected$/);
});

test('connecting names all services that were connected, and those without access', async ({
  stack,
  createPerson,
  openBrowser,
}) => {
  const withoutBoxes = async () => {
    const person = await createPerson();
    const version = stack.accounts.get(person.id)?.version ?? 0;
    await stack.accounts.update(person.id, version, { roles: { boxes: null } });
    const page = await openBrowser(person);
    const connections = new ConnectionsPage(page);
    await connections.open('production');
    return { page, card: page.getByRole('group', { name: /^Production/ }), connections };
  };
  await test.step('with one of them', async () => {
    const { page, card, connections } = await withoutBoxes();
    const row = connections.service('Access controller');
    await row.getByRole('button', { name: 'Connect' }).click();
    const connect = connectAgain(page);
    await expect(connect.dialog).toContainText(
      'The secrets server, box registry, and module registry have the same accounts and are connected too.',
    );
    await connect.enter(password);
    await expectToast(
      page,
      'Connected to the access controller, secrets server, and module registry of Production',
    );
    await expect(card).toHaveAccessibleName(/3 of 4 connected, no access to 1$/);
  });
  await test.step('with all of them', async () => {
    const { page, card } = await withoutBoxes();
    await card.getByRole('button', { name: 'Connect 4 services' }).click();
    await connectAgain(page, 'services of Production', 'Connect 4 services').enter(password);
    await expectToast(
      page,
      'Connected to the access controller, secrets server, and module registry of Production',
    );
    await expectToast(page, 'No access to the box registry of Production');
    await expect(card).toHaveAccessibleName(/3 of 4 connected, no access to 1$/);
    await expect(card.getByRole('button', { name: /^Connect \d/ })).toHaveCount(0);
  });
});

test('closing the dialog connects to no further service, and says what is connected', async ({
  remote: { page, origin },
}) => {
  await page.goto(`${origin}/local/connections`);
  const access = new ConnectionsPage(page).service('Access controller');
  await access.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Connect 2 services' }).click();
  const asked: string[] = [];
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await page.route('**/connections/*', async (route) => {
    asked.push(new URL(route.request().url()).pathname.split('/').at(-1) ?? '');
    begun.resolve();
    await closed.promise;
    await route.continue();
  });
  const connect = connectAgain(page, 'services of Local', 'Connect 2 services');
  await connect.enter(password);
  await begun.promise;
  await page.keyboard.press('Escape');
  await expect(connect.dialog).toHaveCount(0);
  closed.resolve();
  await expectToast(page, 'Connected to the access controller of Local');
  await expect(access).toContainText('Connected');
  expect(asked).toEqual(['access']);
});
