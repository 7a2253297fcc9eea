import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

test('a user signs in, arrives at the requested page, and signs out', async ({ page, createPerson }) => {
  const person = await createPerson();
  await page.goto('/local/targets?q=web');
  await expect(page).toHaveURL(/\/sign-in\?return=/);
  const signIn = new SignInPage(page);
  await expect(signIn.heading).toBeVisible();
  await expect(signIn.loginName).toBeFocused();
  await expect(page).toHaveTitle('Sign in · Local · Gatehouse');
  await signIn.signIn(person.loginName, password);
  await expect(page).toHaveURL(/\/local\/targets\?q=web$/);
  await expect(page.getByRole('heading', { name: 'Targets' })).toBeVisible();
  const shell = new Shell(page);
  await expect(shell.you).toContainText(person.fullName);

  // The overview, which is left, counts each organization's targets once it knows them.
  await page.goto('/local/connections');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE' || asked.length > 0) asked.push(new URL(request.url()).pathname);
  });
  await shell.signOut();
  await expect(signIn.heading).toBeVisible();
  expect(asked[0]).toBe('/api/session');
  expect(asked.filter((path) => path.startsWith('/api/environments/'))).toEqual([]);
  await page.goto('/local/targets');
  await expect(signIn.heading).toBeVisible();
});

test('the sign-in page reports missing sessions, empty fields, and wrong names and passwords', async ({
  page,
  createPerson,
}) => {
  const signIn = new SignInPage(page);
  await test.step("a user who isn't signed in is sent to the sign-in page without an error on the console", async () => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    for (const address of ['/', '/local/targets', '/sign-in']) {
      await page.goto(address);
      await expect(signIn.loginName).toBeFocused();
    }
    expect(errors).toEqual([]);
  });
  await test.step('empty fields are named, and the first has the focus', async () => {
    await signIn.submit.click();
    await expect(signIn.loginName).toHaveAccessibleDescription(/Enter the login name/);
    await expect(signIn.loginName).toBeFocused();
    await expect(signIn.password).toHaveAccessibleDescription(/Enter the password/);
  });
  await test.step('an unknown name is refused in the same words as a wrong password', async () => {
    const person = await createPerson();
    await signIn.signIn(person.loginName, 'not the password');
    await expect(signIn.problem).toBeVisible();
    const words = await signIn.problem.textContent();
    await signIn.signInAnswered(`nobody.${person.loginName}`, 'not the password');
    await expect(signIn.problem).toHaveText(words ?? '');
  });
  await test.step('a wrong password is reported, and nothing that was entered is lost', async () => {
    const person = await createPerson();
    await signIn.signInAnswered(person.loginName, 'not the password');
    await expect(signIn.problem).toContainText('Sign-in failed');
    await expect(signIn.loginName).toHaveValue(person.loginName);
    await expect(signIn.password).toHaveValue('not the password');
    await expect(signIn.password).toBeFocused();
    // The wrong value is selected, so that typing replaces it.
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/local$/);
  });
});

test('the environment is chosen at the sign-in, with its color and name', async ({ page }) => {
  const signIn = new SignInPage(page);
  await page.goto('/sign-in');
  await page.getByRole('radio', { name: 'Production' }).click();
  await expect(page).toHaveTitle('Sign in · Production · Gatehouse');
  await signIn.signIn('admin', password);
  await expect(page).toHaveURL(/\/production$/);
  await expect(new Shell(page).environment).toContainText('Production');
});
