import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { loginNames } from '../../fixtures/stack.ts';
import { expect, test as base } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, press, visit } from '../../fixtures/vocabulary.ts';
import { ModuleMenu } from '../../pages/module-menu.ts';
import { ModulePage } from '../../pages/module-page.ts';
import { ModulePublishPage } from '../../pages/module-publish-page.ts';

/** `name/provider` of all tests' module. */
const module = 'network/random';

const test = base.extend<{ readonly namespace: ModuleNamespace }>({
  namespace: async ({ stack }, use) => {
    const namespace = await ModuleNamespace.open(stack);
    await namespace.publish(module, '1.0.0');
    await namespace.publish(module, '1.1.0');
    await use(namespace);
  },
});

test('a version is deprecated, revoked and restored', async ({ signedIn: page, namespace }) => {
  test.slow();
  const menu = new ModuleMenu(page);
  await test.step('a version is deprecated with a replacement, restored, and deprecated again', async () => {
    await page.goto(namespace.place(module, '1.0.0'));
    await menu.choose('Deprecate');
    await menu.press('Deprecate version');
    await expectFieldError(menu.dialog, 'Message', /Enter a reason/);
    await expect(menu.message).toBeFocused();
    await menu.message.fill('It leaks.\nUse another.');
    await menu.replacement.click();
    await page.getByRole('option', { name: '1.1.0' }).click();
    await expectAccessible(page, 'the dialog that deprecates');
    await page.setViewportSize({ width: 390, height: 800 });
    await expectFits(page, 'the dialog that deprecates');
    await page.setViewportSize({ width: 1440, height: 900 });
    await menu.press('Deprecate version');
    await expectToast(page, 'network 1.0.0 deprecated');
    expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
      deprecation: { state: 'deprecated', message: 'It leaks.\nUse another.', replacement: '1.1.0' },
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectToast(page, 'network 1.0.0 is no longer deprecated');
    expect((await namespace.read(`${module}/1.0.0`))?.['deprecation'] ?? null).toBeNull();

    await menu.choose('Deprecate');
    await menu.message.fill('Old.');
    await menu.replacement.fill('acme/net/random');
    await expect(page.getByText('Your text is used as entered.')).toBeVisible();
    // Elements under the list can't be pressed.
    await press(page, 'Tab');
    await menu.press('Deprecate version');
    await expectToast(page, 'network 1.0.0 deprecated');
    await menu.choose('Edit deprecation');
    await expect(menu.message).toHaveValue('Old.');
    await expect(menu.replacement).toHaveValue('acme/net/random');
    await menu.message.fill('Older.');
    await menu.press('Save');
    await expectToast(page, 'network 1.0.0 saved');
    expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
      deprecation: { state: 'deprecated', message: 'Older.', replacement: 'acme/net/random' },
    });
    await menu.choose('Restore');
    await expect(menu.ask).toContainText('Older.');
    await menu.confirm('Restore version');
    await expectToast(page, 'network 1.0.0 restored');
    expect((await namespace.read(`${module}/1.0.0`))?.['deprecation'] ?? null).toBeNull();
  });
  await test.step('a revoked version is never the latest', async () => {
    await visit(page, namespace.place(module, '1.1.0'));
    await menu.choose('Revoke');
    await expect(menu.dialog).toContainText('A revoked version is never the latest');
    await menu.message.fill('It deletes networks.');
    await menu.press('Revoke version');
    await expectToast(page, 'network 1.1.0 revoked');
    expect(await namespace.read(module)).toMatchObject({ version: '1.0.0' });
    // By keyboard it is only deprecated then.
    await menu.open();
    await menu.entry('Deprecate only').focus();
    await expect(menu.entry('Revoke')).toHaveCount(0);
    await press(page, 'Enter');
    await expect(menu.dialog).toContainText(
      'The version is revoked now. This overwrites its message and replacement.',
    );
    await menu.press('Deprecate version');
    await expectToast(page, 'network 1.1.0 deprecated');
    expect(await namespace.read(module)).toMatchObject({ version: '1.1.0' });
  });
});

test('a version that someone else changed, or fetches, is deprecated or deleted only knowingly', async ({
  signedIn: page,
  namespace,
}) => {
  test.slow();
  const menu = new ModuleMenu(page);
  await test.step("someone else's message is shown before it is replaced", async () => {
    await page.goto(namespace.place(module, '1.0.0'));
    await menu.choose('Deprecate');
    await menu.message.fill('Mine.');
    await namespace.deprecate(module, '1.0.0', { state: 'revoked', message: 'Theirs.', replacement: '' });
    await menu.press('Deprecate version');
    await expect(menu.dialog).toContainText('The deprecation has changed since you opened this dialog.');
    await expect(menu.dialog.getByText('Theirs.')).toBeVisible();
    await expect(menu.message).toHaveValue('Mine.');
    await expectAccessible(page, 'the conflict about a deprecation');
    expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({ deprecation: { message: 'Theirs.' } });
    await menu.press('Deprecate it anyway');
    await expectToast(page, 'network 1.0.0 deprecated');
    expect(await namespace.read(`${module}/1.0.0`)).toMatchObject({
      deprecation: { state: 'deprecated', message: 'Mine.' },
    });

    await menu.choose('Restore');
    await namespace.remove(module, '1.0.0');
    await menu.confirm('Restore version');
    await expectToast(page, 'network 1.0.0 has been deleted');
    await expect(page).toHaveURL(namespace.place(module));
  });
  await test.step('deleting a version names who fetched it, and its number has to be typed', async () => {
    const other = 'subnet/random';
    for (const version of ['1.0.0', '1.1.0']) await namespace.publish(other, version);
    await namespace.fetchAs('CI runner', other, '1.1.0');
    await namespace.fetchAs('Laptop', other, '1.0.0');
    await visit(page, namespace.place(other, '1.1.0'));
    await menu.choose('Delete');
    await expect(menu.ask).toContainText(
      `The latest download by CI runner of ${loginNames.operator} is this version`,
    );
    await expect(menu.ask).not.toContainText('Laptop');
    await expect(menu.ask).toContainText('1.0.0 takes its place');
    await expectAccessible(page, 'the question before a version is deleted');
    await menu.confirm('Delete version', '1.1.0');
    await expectToast(page, 'subnet 1.1.0 deleted');
    await expect(page).toHaveURL(namespace.place(other));
    expect(await namespace.read(`${other}/1.1.0`)).toBeUndefined();

    // The last version takes the module with it.
    await expect(new ModulePage(page).value('Version')).toHaveText('1.0.0');
    await menu.choose('Delete');
    await menu.confirm('Delete version', '1.0.0');
    await expectToast(page, 'subnet 1.0.0 deleted');
    await expect(page).toHaveURL('/local/modules');
  });
});

test('users do with a module what their role allows', async ({ signedIn: page, openBrowser, namespace }) => {
  const publishing = `/local/modules/publish?namespace=${namespace.name}&name=network&provider=random`;
  await test.step('an administrator verifies it, and undoes that', async () => {
    const menu = new ModuleMenu(page);
    await page.goto(namespace.place(module));
    await menu.choose('Verify');
    await expectToast(page, `${namespace.name}/network/random is verified`);
    expect(await namespace.read(module)).toMatchObject({ verified: true });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectToast(page, `${namespace.name}/network/random is no longer verified`);
    expect(await namespace.read(module)).toMatchObject({ verified: false });
    await menu.open();
    await expect(menu.entry('Publish a version')).toHaveAttribute('href', publishing);
  });
  await test.step('an operator deprecates, and neither verifies nor deletes', async () => {
    const operator = await openBrowser('operator');
    const theirs = new ModuleMenu(operator);
    await operator.goto(namespace.place(module, '1.0.0'));
    await theirs.open();
    await expect(theirs.entry('Verify')).toContainText('Only administrators');
    await expect(theirs.entry('Deprecate')).not.toHaveAttribute('aria-disabled', 'true');
    await expect(theirs.entry('Delete')).toContainText('Only administrators');
  });
  await test.step("a reader does none of it, and doesn't publish", async () => {
    const reader = await openBrowser('read-only');
    const readers = new ModuleMenu(reader);
    await reader.goto(namespace.place(module, '1.0.0'));
    await readers.open();
    for (const action of ['Deprecate', 'Revoke', 'Delete']) {
      await expect(readers.entry(action)).toHaveAttribute('aria-disabled', 'true');
    }
    await visit(reader, publishing);
    const publish = new ModulePublishPage(reader);
    await expect(publish.publish).toHaveAttribute('aria-disabled', 'true');
    await expect(publish.archive).toBeHidden();
  });
});
