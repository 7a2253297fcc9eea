import { SecretEngine } from '../../fixtures/secret-engine.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

test('exports, renames and keeping fewer versions ask for the right confirmation in production', async ({
  stack,
  page,
}) => {
  test.slow();
  await using engine = await production(stack, 'guards');
  await test.step('in production an export asks for the password and says how long it counts, and a rename asks for nothing', async () => {
    for (const value of ['one', 'two']) await engine.secrets.write('app/db', { value });
    await page.goto(engine.secrets.place('export', ''));
    await new SignInPage(page).signIn('admin', password);

    await page.getByRole('button', { name: 'Export to a file' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Export from Production?' });
    await expect(ask).toContainText(
      'Confirmation is required because secrets leave the console in clear text, and Production is a production environment. You will be asked for your password or token next.',
    );
    await ask.getByRole('textbox').fill(engine.secrets.mount);
    await ask.getByRole('button', { name: 'Export to a file' }).click();
    const confirmation = isItYou(page);
    await expect(confirmation.dialog).toContainText(
      'The password of admin in Production is required because secrets leave the console in clear text',
    );
    await expect(confirmation.dialog).toContainText("You won't be asked again for 5 minutes.");
    const saved = page.waitForEvent('download');
    await confirmation.enter(password);
    expect((await saved).suggestedFilename()).toMatch(/\.json$/);
    const me = page.getByRole('button', { name: /settings and sign out/ });
    await expect(me).toContainText(/Confirmed until \d\d:\d\d/);

    // A password that counts isn't asked for again, and the page says so.
    await page.getByRole('button', { name: 'Export again' }).click();
    await expect(ask).toContainText(
      /You confirmed your password or token. You won't be asked again until \d\d:\d\d\./,
    );
    await ask.getByRole('button', { name: 'Cancel' }).click();

    stack.advance(6 * 60_000);
    await page.goto(engine.secrets.place('move', 'app/db'));
    await expect(me).not.toContainText('Confirmed until');
    await page.getByLabel('New path', { exact: false }).fill('app/database');
    await page.getByRole('button', { name: 'Rename secret' }).click();
    await expect(page.getByText('1 secret written, 1 removed from the old path.')).toBeVisible();
    expect(await engine.secrets.has('app/db')).toBe(false);
  });
  await test.step('in production keeping fewer versions names the lost ones, and asks for name and password', async () => {
    for (const value of ['one', 'two', 'three', 'four']) await engine.secrets.write('db', { value });
    // The password was entered too long ago to count.
    await visit(page, engine.secrets.place('metadata', 'db'));
    const form = new RecordForm(page, 'metadata of the secret');
    await form.field('Versions to keep').fill('2');
    await form.save('Save metadata').click();
    const ask = page.getByRole('alertdialog', { name: 'Keep fewer versions of db?' });
    await expect(ask).toContainText('The values of versions 1 and 2 of');
    await ask.getByRole('button', { name: 'Cancel' }).click();
    await expect(form.field('Versions to keep')).toHaveValue('2');
    expect((await engine.secrets.metadata('db')).max_versions).toBe(0);

    await form.save('Save metadata').click();
    await ask.getByRole('textbox', { name: 'Type db to confirm' }).fill('db');
    await ask.getByRole('button', { name: 'Delete 2 versions permanently' }).click();
    await isItYou(page).enter(password);
    await expect(page.getByRole('button', { name: 'Edit metadata' })).toBeVisible();
    expect((await engine.secrets.metadata('db')).max_versions).toBe(2);
  });
});

/** An engine in production, removed afterwards. */
async function production(stack: Parameters<typeof SecretEngine.mount>[0], mount: string) {
  const secrets = await SecretEngine.mount(stack, mount, 'production');
  return { secrets, [Symbol.asyncDispose]: () => secrets.unmount() };
}
