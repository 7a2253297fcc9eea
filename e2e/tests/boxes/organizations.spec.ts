import { signInToBoxes } from '@gatehouse/stack/boxes-client';
import { totp } from '../../fixtures/authenticator.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { clickRowAction, expectFieldError, expectToast, question, visit } from '../../fixtures/vocabulary.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test("organizations, their members, the right to create them, and others' second factors are managed", async ({
  signedIn: page,
  owner,
  createPerson,
  openBrowser,
}) => {
  test.slow();
  const person = await createPerson('operator');
  const other = await openBrowser(person);
  await test.step('an organization is created, read, edited and deleted, and its members are managed', async () => {
    const name = `${owner.username}-new`;
    const path = `/api/v1/organizations/${name}`;
    const boxes = new BoxesPage(page);
    await boxes.open();
    await boxes.choose('Organizations');
    await page.getByRole('link', { name: 'New organization' }).click();
    const form = new RecordForm(page, 'organization');
    const create = form.save('Create organization');
    await form.field('Name').fill('-not a name');
    await create.click();
    await expectFieldError(form.form, 'Name', /letters, digits/);
    await form.field('Name').fill(owner.username);
    await create.click();
    await expect(page.getByText('This organization was created while you were editing')).toBeVisible();
    await page.goto('/local/boxes/new-organization');
    await form.field('Name').fill(name);
    await form.field('About').fill('We *make* boxes. <script>globalThis.pwned = 1</script>');
    await create.click();
    await expectToast(page, `Organization ${name} created`);
    expect(await owner.client.read(path)).toMatchObject({ username: name });
    await expect(page.getByText('We make boxes.')).toBeVisible();

    const members = page.getByRole('list', { name: `Members of ${name}` }).getByRole('listitem');
    await expect(members).toHaveCount(1);
    await page.getByRole('button', { name: 'Add a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Login name' }).fill(person.loginName);
    await page.getByRole('option', { name: person.loginName }).click();
    await dialog.getByText('Reader', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add member' }).click();
    await isItYou(page).enter(password);
    await expectToast(page, `${person.loginName} added to ${name}`);
    const theirs = members.filter({ hasText: person.loginName });
    await expect(theirs).toContainText('Reader');
    const roles = async () => {
      const { members: told } = await owner.client.read(path);
      return Array.isArray(told) ? told.map(({ username, role }) => [username, role]) : told;
    };
    expect(await roles()).toContainEqual([person.loginName, 'reader']);

    // The other user sees the organization, and may not manage it.
    await other.goto(`/local/boxes/organizations/${name}`);
    await expect(other.getByRole('button', { name: 'Add a member' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );

    await clickRowAction(page, person.loginName, 'Change role');
    await dialog.getByText('Publisher', { exact: true }).click();
    await owner.client.put(`${path}/members/${person.loginName}`, { member: { role: 'owner' } });
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await expect(dialog.getByRole('table', { name: 'Changed since you opened it' })).toContainText('Owner');
    expect(await roles()).toContainEqual([person.loginName, 'owner']);
    await dialog.getByRole('button', { name: 'Change it anyway' }).click();
    await expectToast(page, `Role of ${person.loginName} is now publisher`);
    expect(await roles()).toContainEqual([person.loginName, 'publisher']);
    await clickRowAction(page, person.loginName, /^Remove/);
    await question(page).getByRole('button', { name: 'Remove member' }).click();
    await expectToast(page, `${person.loginName} removed from ${name}`);
    await expect(members).toHaveCount(1);
    expect(await roles()).toHaveLength(1);

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.field('About').fill('Nothing any more');
    await owner.client.put(path, { organization: { profile_markdown: 'Theirs' } });
    await form.save('Save organization').click();
    await expect(page.getByRole('region', { name: 'Changed since you opened it' })).toBeVisible();
    await page.getByRole('radiogroup', { name: 'About' }).getByText('Use mine', { exact: true }).click();
    await form.save('Save organization').click();
    await expectToast(page, `Organization ${name} saved`);
    expect(await owner.client.read(path)).toMatchObject({ profile_markdown: 'Nothing any more' });

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const ask = page.getByRole('alertdialog', { name: `Delete organization ${name}?` });
    await ask.getByRole('textbox').fill(name);
    await ask.getByRole('button', { name: 'Delete organization' }).click();
    await expectToast(page, `Organization ${name} deleted`);
    await expect(page).toHaveURL(/\/local\/boxes\/organizations$/);
    expect(await owner.client.find(path)).toBeUndefined();
  });
  await test.step("the right to create organizations is set, and another user's second factor is removed", async () => {
    // Another session, which hasn't entered the password again.
    await signInThroughApi(page.context().request, loginNames.administrator, password);
    await visit(other, '/local/boxes/organizations');
    await expect(other.getByRole('button', { name: 'New organization' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await visit(other, '/local/boxes/settings');
    await expect(other.getByText('Your role lets you read them.')).toBeVisible();

    await visit(page, '/local/boxes/settings');
    const form = new RecordForm(page, 'settings');
    await form.form.getByText('Administrators and operators', { exact: true }).click();
    await form.save('Save settings').click();
    await isItYou(page).enter(password);
    await expectToast(page, /^Settings .*saved$/);
    expect(await owner.client.read('/api/v1/settings')).toMatchObject({ organization_creators: 'operators' });
    await other.goto('/local/boxes/organizations');
    await expect(other.getByRole('link', { name: 'New organization' })).toBeVisible();
    await owner.client.put('/api/v1/settings', { settings: { organization_creators: 'administrators' } });

    const client = await signInToBoxes(owner.url, person.loginName, password);
    const factor = '/api/v1/two-factor';
    const { two_factor: begun } = await client.post(factor, { user: { password }, two_factor: {} });
    const secret = String((begun as { secret: unknown }).secret);
    await client.put(factor, { two_factor: { code: totp(secret, Date.now()) } });
    await page.getByRole('button', { name: 'Reset a second factor' }).click();
    const dialog = page.getByRole('dialog');
    const login = dialog.getByRole('combobox', { name: 'Login name' });
    await login.fill(loginNames.administrator);
    await login.press('Tab');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog).toContainText('This is your account.');
    await login.fill(person.loginName);
    await page.getByRole('option', { name: person.loginName }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const ask = page.getByRole('alertdialog', { name: /^Remove the second factor of / });
    await ask.getByRole('textbox').fill(person.loginName);
    await ask.getByRole('button', { name: 'Remove second factor' }).click();
    await expectToast(page, `Second factor of ${person.loginName} removed`);
    expect(await client.read(factor)).toMatchObject({ two_factor: { enabled: false } });
  });
});
