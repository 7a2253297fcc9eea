import { pollHeader } from '@gatehouse/api-types/contract';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test } from '../../fixtures/test.ts';
import { setVisible } from '../../fixtures/visibility.ts';
import {
  clickRowAction,
  expectAskedAgain,
  expectNoRow,
  expectRowVisible,
  expectToast,
  press,
  question,
} from '../../fixtures/vocabulary.ts';
import { AuthorizeDialog, SessionsPage } from '../../pages/sessions-page.ts';

const access = '/api/environments/local/access';

/** Creates or changes something through the console's own API, as the page's user. */
async function send(
  page: Page,
  path: string,
  data: unknown,
  revision?: string,
): Promise<{ readonly id: string; readonly revision: string }> {
  const answer = await page.context().request.post(`${access}/${path}`, {
    headers: { ...consoleHeaders, ...(revision !== undefined && { 'if-match': `"${revision}"` }) },
    data,
  });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  const { id, revision: next } = await answer.json();
  return { id, revision: next };
}

test('authorizing a session shows once how to use it, masked, and stores nothing', async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ type: 'ssh', name: 'db', session_max_seconds: 3600 });
  const dialog = new AuthorizeDialog(page);
  await page.goto(`/local/targets/${target.id}`);
  await expect(page.getByText('The embedded access controller has no worker')).toBeVisible();
  await dialog.open(target.id);
  await expect(dialog.value('Destination')).toHaveText('10.0.0.1:22');
  await expectAccessible(page, 'asked');
  await dialog.submit.click();
  await expect(dialog.command).toHaveText(/^boundary connect ssh -authz-token •+$/);
  await expect(dialog.dialog.getByText('The embedded access controller has no worker')).toBeVisible();
  await expect(dialog.value('Endpoint')).toContainText('tcp://10.0.0.1:22');
  await expect(dialog.value('Ends')).toContainText(/in (?:59 minutes|1 hour)/);
  await expectAccessible(page, 'authorized');
  await dialog.dialog.getByRole('radio', { name: 'TCP port' }).click();
  await expect(dialog.command).toHaveText(/^boundary connect -authz-token •+$/);
  await dialog.dialog.getByRole('button', { name: 'Reveal the token' }).click();
  await expect(dialog.command).not.toContainText('•');
  const revealed = (await dialog.command.textContent()) ?? '';
  const token = revealed.split(' ').at(-1) ?? '';
  expect(token.length).toBeGreaterThan(20);
  expect(page.url()).not.toContain(token);
  await setVisible(page, false);
  await expect(dialog.command).toContainText('•');
  await setVisible(page, true);
  await dialog.dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog.dialog).toHaveCount(0);
  const kept = await page.evaluate(() =>
    [document.documentElement.outerHTML, JSON.stringify([localStorage, sessionStorage])].join('\n'),
  );
  expect(kept).not.toContain(token);

  const sessions = new SessionsPage(page);
  await sessions.open();
  await expectRowVisible(sessions.grid, {
    Target: target.name,
    Endpoint: 'tcp://10.0.0.1:22',
  });
});

test("a session is authorized from a row of the list, and listed on the target's page", async ({
  signedIn: page,
  createTarget,
  project,
}) => {
  const target = await createTarget({ name: 'near' });
  await page.goto(`/local/targets?scope=${project.id}`);
  await clickRowAction(page, target.name, 'Authorize session');
  const dialog = new AuthorizeDialog(page);
  await dialog.submit.click();
  await expect(dialog.command).toContainText('boundary connect');
  await dialog.dialog.getByRole('button', { name: 'Done' }).click();
  const sessions = page.getByRole('group', { name: 'Open sessions' });
  await expect(sessions.getByRole('listitem')).toHaveText(/^PendingFirst administrator\s*since /);
  await expectAccessible(page, 'a target with a session');
});

test('a session to a host of the sources has brokered credentials', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  const catalog = await send(page, 'host-catalogs', {
    scope_id: project.id,

    name: 'machines',
  });
  const hosts = [];
  for (const name of ['first', 'second']) {
    hosts.push(
      await send(page, 'hosts', {
        host_catalog_id: catalog.id,
        name,
        attributes: { address: `${name}.example` },
      }),
    );
  }
  const set = await send(page, 'host-sets', { host_catalog_id: catalog.id, name: 'all' });
  await send(
    page,
    `host-sets/${set.id}/hosts`,
    { action: 'add', host_ids: hosts.map(({ id }) => id) },
    set.revision,
  );
  const store = await send(page, 'credential-stores', { scope_id: project.id, type: 'static', name: 'keys' });
  const credential = await send(page, 'credentials', {
    credential_store_id: store.id,
    type: 'username_password',
    name: 'app',
    attributes: { username: 'app', password: 'brokered secret' },
  });
  const injected = await send(page, 'credentials', {
    credential_store_id: store.id,
    type: 'username_password',
    name: 'root',
    attributes: { username: 'root', password: 'injected secret' },
  });
  const target = await createTarget({ type: 'ssh', address: undefined });
  const linked = await send(
    page,
    `targets/${target.id}/host-sources`,
    { action: 'add', host_source_ids: [set.id] },
    '1',
  );
  await send(
    page,
    `targets/${target.id}/credential-sources`,
    {
      action: 'add',
      brokered_credential_source_ids: [credential.id],
      injected_application_credential_source_ids: [injected.id],
    },
    linked.revision,
  );

  const dialog = new AuthorizeDialog(page);
  await dialog.open(target.id);
  await expect(dialog.value('Handed to you')).toContainText(`app${credential.id}`);
  await expect(dialog.value('Entered by the worker')).toContainText(`root${injected.id}`);
  await expectAccessible(page, 'credentials before the session');
  await dialog.host.fill('sec');
  await page.getByRole('option', { name: /second/ }).click();
  await dialog.submit.click();
  await expect(dialog.value('Host').first()).toHaveText(hosts[1]?.id ?? '');
  await expect(dialog.value('Endpoint')).toContainText('second.example');
  await expect(dialog.value('Username')).toHaveCount(1);
  await expect(dialog.value('Username')).toContainText('app');
  await expect(page.getByText('A worker enters injected credentials')).toBeVisible();
  const password = dialog.value('Password');
  await expect(password).not.toContainText('brokered secret');
  await password.getByRole('button', { name: 'Reveal password' }).click();
  await expect(password).toContainText('brokered secret');
  await password.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).not.toContainText('brokered secret');
});

test('sessions are found, read and canceled, also one that someone else canceled first', async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'cancel me' });
  const first = await page.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
    headers: consoleHeaders,
    data: {},
  });
  const { session_id: id } = await first.json();
  const sessions = new SessionsPage(page);
  await sessions.open(`?target=${target.id}`);
  await expectRowVisible(sessions.grid, {
    Person: 'First administrator',
    Target: target.name,
    State: 'Pending',
  });
  await expect(sessions.quiet).toContainText('all sessions you can see end by');
  await sessions.grid.getByRole('link', { name: 'First administrator' }).click();
  await expect(sessions.panel.getByText('States')).toBeVisible();
  await expectAccessible(page, 'panel of a session');
  // It is canceled elsewhere after the page has shown it. The page notices only when it polls.
  await page.route('**/access/sessions?*', (route) => route.abort());
  const read = await page.context().request.get(`${access}/sessions/${id}`, { headers: consoleHeaders });
  const { revision } = await read.json();
  await send(page, `sessions/${id}/cancel`, undefined, revision);
  await sessions.panel.getByRole('button', { name: 'Cancel session' }).click();
  const confirm = page.getByRole('alertdialog', { name: /^Cancel the session of/ });
  await expectAccessible(page, 'asked to cancel');
  await confirm.getByRole('button', { name: 'Cancel session' }).click();
  await expectToast(page, / canceled$/);
  await expect(confirm).toHaveCount(0);
  await page.unroute('**/access/sessions?*');
  await sessions.open(`?target=${target.id}&ended=true`);
  await expectRowVisible(sessions.grid, { Target: target.name, State: /Canceling|Terminated/ });
});

test('all sessions on a target are canceled at once', async ({ signedIn: page, createTarget }) => {
  const target = await createTarget({ name: 'several' });
  for (const _ of [1, 2, 3]) {
    const made = await page.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
      headers: consoleHeaders,
      data: {},
    });
    expect(made.ok(), await made.text()).toBe(true);
  }
  const sessions = new SessionsPage(page);
  await sessions.open(`?q=${target.id}`);
  await page
    .getByRole('button', { name: `Actions for session of First administrator on ${target.name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'All sessions on this target' }).click();
  await expect(page.getByText(`Showing only sessions of target ${target.name}`)).toBeVisible();
  await sessions.grid.getByRole('checkbox', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: 'Cancel sessions' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Cancel 3 sessions?' });
  await expectAccessible(page, 'asked to cancel several sessions');
  await confirm.getByRole('textbox').fill('cancel 3');
  await confirm.getByRole('button', { name: 'Cancel 3 sessions' }).click();
  await expectToast(page, '3 sessions are being canceled');
  await expect(confirm).toHaveCount(0);
});

test('a session that changed since it was shown is shown again, and canceled on the second request', async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'connected' });
  const made = await page.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
    headers: consoleHeaders,
    data: {},
  });
  expect(made.ok()).toBe(true);
  // No worker ever activates a session of the embedded controller, so the page gets a changed state.
  await page.route('**/access/sessions?*', async (route) => {
    const headers = { ...(await route.request().allHeaders()), ...consoleHeaders };
    const answer = await route.fetch({ headers });
    const { items, ...rest } = await answer.json();
    const seen = items.map((item: object) => ({ ...item, status: 'active', revision: '7' }));
    await route.fulfill({ response: answer, json: { ...rest, items: seen } });
  });
  const sessions = new SessionsPage(page);
  await sessions.open(`?target=${target.id}`);
  await expectRowVisible(sessions.grid, { Target: target.name, State: 'Active' });
  await clickRowAction(page, `session of First administrator on ${target.name}`, 'Cancel session');
  const dialog = page.getByRole('alertdialog', { name: /^Cancel the session of/ });
  await dialog.getByRole('button', { name: 'Cancel session' }).click();
  await expect(dialog).toContainText('The session has changed since you opened it. It is now pending.');
  await expectAccessible(page, 'changed before it was canceled');
  await dialog.getByRole('button', { name: 'Cancel it anyway' }).click();
  await expectToast(page, / canceled$/);
  await expect(dialog).toHaveCount(0);
});

test("sessions are canceled in the row's menu, and filters are in the address", async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'busy' });
  const made = await page.context().request.post(`${access}/authorize-session`, {
    headers: consoleHeaders,
    data: { name: target.name, scope_id: await targetScope(page, target.id) },
  });
  expect(made.ok(), await made.text()).toBe(true);
  const { session_id: id } = await made.json();
  const sessions = new SessionsPage(page);
  await sessions.open();
  await page.getByRole('searchbox').fill(id);
  await expect(page).toHaveURL(new RegExp(`q=${id}`));
  await expectRowVisible(sessions.grid, { Target: target.name });
  await expectAccessible(page, 'list of sessions');
  await clickRowAction(page, `session of First administrator on ${target.name}`, 'Cancel session');
  await question(page).getByRole('button', { name: 'Cancel session' }).click();
  await expectToast(page, / canceled$/);
  await page.getByText('Include ended').click();
  await expect(page).toHaveURL(/ended=true/);
  await expectRowVisible(sessions.grid, { Target: target.name, State: /Canceling|Terminated/ });
  await page.reload();
  await expectRowVisible(sessions.grid, { Target: target.name, State: /Canceling|Terminated/ });
  const chart = page.getByRole('slider', { name: 'Sessions over time' });
  await expect(chart).toHaveAttribute('aria-valuetext', /^1 session, /);
  await chart.focus();
  await press(page, 'Home', 'Enter');
  await expect(page).toHaveURL(/from=.*&to=/);
  await expect(page.getByText('Showing only sessions that started from')).toBeVisible();
  await expectRowVisible(sessions.grid, { Target: target.name });
  await expectAccessible(page, 'sessions of a minute');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page).not.toHaveURL(/from=/);
  await clickRowAction(
    page,
    `session of First administrator on ${target.name}`,
    'All sessions of this person',
  );
  await expect(page.getByText('Showing only sessions of person First administrator')).toBeVisible();
});

test('Overview counts a session that began after it was opened, without keeping the user signed in', async ({
  openBrowser,
  createPerson,
  createTarget,
}) => {
  const target = await createTarget();
  // Operators see only their own sessions.
  const page = await openBrowser(await createPerson('operator'));
  await page.clock.install();
  await page.goto('/local');
  await expect(page.getByText(/^No open sessions/)).toBeVisible();
  const made = await page.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
    headers: consoleHeaders,
    data: {},
  });
  expect(made.ok(), await made.text()).toBe(true);
  const asked = page.waitForRequest(/\/access\/sessions\?/);
  await expectAskedAgain(page, () => expect(page.getByText('1 is pending')).toBeVisible({ timeout: 500 }));
  expect(await (await asked).headerValue(pollHeader.name)).toBe(pollHeader.value);
});

test('other users see only their own sessions, and a reader sees why none can be opened', async ({
  signedIn: page,
  openBrowser,
  createTarget,
}) => {
  const target = await createTarget();
  const made = await page.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
    headers: consoleHeaders,
    data: {},
  });
  expect(made.ok()).toBe(true);
  const other = await openBrowser('operator');
  const theirs = new SessionsPage(other);
  await theirs.open(`?target=${target.id}`);
  await expectNoRow(theirs.grid, { Target: target.name });
  const reader = await openBrowser('read-only');
  await reader.goto(`/local/targets/${target.id}`);
  const button = reader.getByRole('button', { name: 'Authorize session' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription(/doesn't let you open sessions to this target/);
  const refused = await reader.context().request.post(`${access}/targets/${target.id}/authorize-session`, {
    headers: consoleHeaders,
    data: {},
  });
  expect(refused.status()).toBe(403);
});

async function targetScope(page: Page, id: string): Promise<string> {
  const answer = await page.context().request.get(`${access}/targets/${id}`, { headers: consoleHeaders });
  const { scope_id: scope } = await answer.json();
  return scope;
}
