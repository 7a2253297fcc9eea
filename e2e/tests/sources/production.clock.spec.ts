import { signIn } from '@gatehouse/stack/access-client';
import { Sources } from '../../fixtures/sources.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { isItYou } from '../../pages/session-dialogs.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';

test('deleting a host set in production requires its name and the password', async ({ page, stack }) => {
  const environment = stack.environments.find(({ id }) => id === 'production');
  if (environment === undefined) throw new Error('the stack has no production');
  const production = await signIn(environment.access.url, loginNames.administrator, password);
  const project = await production.create('scopes', { scope_id: 'o_1234567890', name: 'sources to delete' });
  const sources = new Sources(production, project);
  const set = await sources.hostSet('primaries');
  await page.goto(await sources.placeOfSet(set, 'production'));
  await new SignInPage(page).signIn(loginNames.administrator, password);
  await page.getByRole('button', { name: 'More actions for primaries' }).click();
  stack.advance(6 * 60_000);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete host set primaries?' });
  await dialog.getByRole('textbox', { name: 'Type primaries to confirm' }).fill('primaries');
  await dialog.getByRole('button', { name: 'Delete host set' }).click();
  await isItYou(page).enter(password);
  await expectToast(page, 'Host set primaries deleted');
  await production.remove('scopes', project.id);
});
