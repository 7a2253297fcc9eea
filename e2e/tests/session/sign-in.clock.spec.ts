import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

test('too many attempts are delayed, and the page says how long and continues automatically', async ({
  page,
  createPerson,
  stack,
}) => {
  const person = await createPerson();
  const signIn = new SignInPage(page);
  await page.clock.install();
  await page.goto('/sign-in');
  const wait = page.getByRole('button', { name: /^Wait \d+ s$/ });
  await signIn.loginName.fill(person.loginName);
  let seconds = 0;
  /** Lets the delay pass for the server and the page. */
  const waitItOut = async (): Promise<void> => {
    stack.advance(seconds * 1000);
    await page.clock.fastForward(seconds * 1000);
  };
  // Each wrong password after the first few makes the delay longer.
  for (let tries = 0; seconds < 3 && tries < 14; tries += 1) {
    if (seconds > 0) await waitItOut();
    // While an attempt is being answered, the button looks the same and ignores presses.
    await expect(signIn.submit).toHaveAttribute('aria-disabled', 'false');
    await signIn.password.fill(`wrong ${tries}`);
    const answering = page.waitForResponse('**/api/session');
    await page.keyboard.press('Enter');
    const answer = await answering;
    if (answer.status() === 429) {
      await expect(wait).toBeVisible();
      seconds = Number(/"retryAfterSeconds":(\d+)/.exec(await answer.text())?.[1]);
    }
    await expect(signIn.problem).toBeVisible();
  }
  await expect(wait).toHaveAttribute('aria-disabled', 'true');
  await expect(signIn.problem).toContainText(/You can try again in \d+ s/);
  await expect(signIn.problem).toContainText('Too many requests');
  await signIn.password.fill(password);
  await waitItOut();
  await expect(signIn.submit).toHaveText('Sign in to Local');
  await signIn.submit.click();
  await expect(page).toHaveURL(/\/local$/);
});
