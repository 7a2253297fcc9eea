import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test as base } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, press } from '../../fixtures/vocabulary.ts';
import { ModuleMenus } from '../../pages/module-menus.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

/** `name/provider` of the module of every test. */
const module = 'network/random';

const test = base.extend<{ readonly namespace: ModuleNamespace }>({
  namespace: async ({ stack }, use) => {
    const namespace = await ModuleNamespace.open(stack);
    await namespace.publish(module, '1.0.0');
    await namespace.publish(module, '1.1.0');
    await use(namespace);
  },
});

test('a version is deprecated with a replacement, that is undone, edited, and restored', async ({
  signedIn: page,
  namespace,
}) => {
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module, '1.0.0'));
  await menus.chooseOfVersion('1.0.0', 'Deprecate');
  await menus.press('Deprecate version');
  await expectFieldError(menus.dialog, 'Message', /Say why/);
  await expect(menus.message).toBeFocused();
  await menus.message.fill('It leaks.\nUse another.');
  await menus.replacement.click();
  await page.getByRole('option', { name: '1.1.0' }).click();
  await expectAccessible(page, 'the dialog that deprecates');
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFits(page, 'the dialog that deprecates');
  await page.setViewportSize({ width: 1440, height: 900 });
  await menus.press('Deprecate version');
  await expectToast(page, 'network 1.0.0 deprecated');
  expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
    deprecation: { state: 'deprecated', message: 'It leaks.\nUse another.', replacement: '1.1.0' },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'network 1.0.0 may be used again');
  expect((await namespace.read(`${module}/1.0.0`))?.['deprecation'] ?? null).toBeNull();

  await menus.chooseOfVersion('1.0.0', 'Deprecate');
  await menus.message.fill('Old.');
  await menus.replacement.fill('acme/net/random');
  await expect(page.getByText('What you type is kept as it is.')).toBeVisible();
  await press(page, 'Tab');
  await menus.press('Deprecate version');
  await expectToast(page, 'network 1.0.0 deprecated');
  await menus.chooseOfVersion('1.0.0', 'Edit what is said of it');
  await expect(menus.message).toHaveValue('Old.');
  await expect(menus.replacement).toHaveValue('acme/net/random');
  await menus.message.fill('Older.');
  await menus.press('Save');
  await expectToast(page, 'network 1.0.0 saved');
  expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
    deprecation: { state: 'deprecated', message: 'Older.', replacement: 'acme/net/random' },
  });
  await menus.chooseOfVersion('1.0.0', 'Restore');
  await expect(menus.ask).toContainText('Older.');
  await menus.confirm('Restore version');
  await expectToast(page, 'network 1.0.0 may be used again');
  expect((await namespace.read(`${module}/1.0.0`))?.['deprecation'] ?? null).toBeNull();
});

test('a revoked version is never the latest', async ({ signedIn: page, namespace }) => {
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module, '1.1.0'));
  await menus.chooseOfVersion('1.1.0', 'Revoke');
  await expect(menus.dialog).toContainText('It is never the latest version');
  await menus.message.fill('It deletes networks.');
  await menus.press('Revoke version');
  await expectToast(page, 'network 1.1.0 revoked');
  expect(await namespace.read(module)).toMatchObject({ version: '1.0.0' });
  // By keyboard it is only deprecated then.
  await menus.openVersion('1.1.0');
  await expect(menus.entry('Revoke')).toHaveCount(0);
  await menus.entry('Deprecate only').focus();
  await press(page, 'Enter');
  await expect(menus.dialog).toContainText('It is revoked now: this replaces what is said of it.');
  await menus.press('Deprecate version');
  await expectToast(page, 'network 1.1.0 deprecated');
  expect(await namespace.read(module)).toMatchObject({ version: '1.1.0' });
});

test('what someone else said meanwhile is shown before it is replaced', async ({
  signedIn: page,
  namespace,
}) => {
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module, '1.0.0'));
  await menus.chooseOfVersion('1.0.0', 'Deprecate');
  await menus.message.fill('Mine.');
  await namespace.deprecate(module, '1.0.0', { state: 'revoked', message: 'Theirs.', replacement: '' });
  await menus.press('Deprecate version');
  await expect(menus.dialog).toContainText('Someone else changed what is said of it since you looked.');
  await expect(menus.dialog.getByText('Theirs.')).toBeVisible();
  await expect(menus.message).toHaveValue('Mine.');
  await expectAccessible(page, 'the conflict about a deprecation');
  expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({ deprecation: { message: 'Theirs.' } });
  await menus.press('Deprecate it anyway');
  await expectToast(page, 'network 1.0.0 deprecated');
  expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
    deprecation: { state: 'deprecated', message: 'Mine.' },
  });

  await menus.chooseOfVersion('1.0.0', 'Restore');
  await namespace.remove(module, '1.0.0');
  await menus.confirm('Restore version');
  await expectToast(page, 'network 1.0.0 was deleted meanwhile');
  await expect(page).toHaveURL(namespace.place(module));
});

test('deleting a version names who fetched it, and its number has to be typed', async ({
  signedIn: page,
  namespace,
}) => {
  await namespace.fetchAs('CI runner', module, '1.1.0');
  await namespace.fetchAs('Laptop', module, '1.0.0');
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module, '1.1.0'));
  await menus.chooseOfVersion('1.1.0', 'Delete');
  await expect(menus.ask).toContainText(`CI runner of ${loginNames.operator} fetched it last`);
  await expect(menus.ask).not.toContainText('Laptop');
  await expect(menus.ask).toContainText('1.0.0 takes its place');
  await expectAccessible(page, 'the question before a version is deleted');
  await menus.confirm('Delete version', '1.1.0');
  await expectToast(page, 'network 1.1.0 deleted');
  await expect(page).toHaveURL(namespace.place(module));
  expect(await namespace.read(`${module}/1.1.0`)).toBeUndefined();

  // The last one takes the module with it.
  await menus.chooseOfVersion('1.0.0', 'Delete');
  await menus.confirm('Delete version', '1.0.0');
  await expectToast(page, 'network 1.0.0 deleted');
  await expect(page).toHaveURL('/local/modules');
});

test('an administrator verifies a module, and a change by someone else is not overlooked', async ({
  signedIn: page,
  openBrowser,
  namespace,
}) => {
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module));
  await menus.chooseOfModule('Verify');
  await expectToast(page, `${namespace.name}/network/random is verified`);
  expect(await namespace.read(module)).toMatchObject({ verified: true });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, `${namespace.name}/network/random is not verified any more`);
  expect(await namespace.read(module)).toMatchObject({ verified: false });

  const operator = await openBrowser('operator');
  const theirs = new ModuleMenus(operator);
  await operator.goto(namespace.place(module, '1.0.0'));
  await theirs.openModule();
  await expect(theirs.entry('Verify')).toContainText('Only administrators');
  await press(operator, 'Escape');
  await theirs.openVersion('1.0.0');
  await expect(theirs.entry('Deprecate')).not.toHaveAttribute('aria-disabled', 'true');
  await expect(theirs.entry('Delete')).toContainText('Only administrators');

  const reader = await openBrowser('read-only');
  const readers = new ModuleMenus(reader);
  await reader.goto(namespace.place(module, '1.0.0'));
  await readers.openVersion('1.0.0');
  for (const action of ['Deprecate', 'Revoke', 'Delete']) {
    await expect(readers.entry(action)).toHaveAttribute('aria-disabled', 'true');
  }
});

test('in production deleting a version asks for its number and the password', async ({
  stack,
  signedIn: page,
}) => {
  const namespace = await ModuleNamespace.open(stack, 'production');
  await namespace.publish(module, '1.0.0');
  await signInThroughApi(page.context().request, loginNames.administrator, password, 'production');
  const menus = new ModuleMenus(page);
  await page.goto(namespace.place(module, '1.0.0'));
  await menus.chooseOfVersion('1.0.0', 'Delete');
  await menus.confirm('Delete version', '1.0.0');
  await isItYou(page).enter(password);
  await expectToast(page, 'network 1.0.0 deleted');
  expect(await namespace.read(`${module}/1.0.0`)).toBeUndefined();
});
