import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

const mayNot = (verb: string): string => `Your role in the access controller doesn't let you ${verb}`;

test('a reader sees everything, and why nothing can be changed', async ({
  openBrowser,
  project,
  createTarget,
}) => {
  const created = await createTarget({ description: 'words' });
  const page = await openBrowser('read-only');
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await expect(targets.names).toHaveText([created.name]);
  const create = page.getByRole('button', { name: 'New target' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAccessibleDescription(new RegExp(mayNot('create targets')));
  await page.getByRole('button', { name: `Actions for ${created.name}` }).click();
  for (const action of ['Edit', 'Delete']) {
    const entry = page.getByRole('menuitem', { name: action });
    await expect(entry).toHaveAttribute('aria-disabled', 'true');
    await expect(entry).toContainText(mayNot(action.toLowerCase()));
  }
  await page.keyboard.press('Escape');

  await targets.link(created.name).click();
  const target = new TargetPage(page);
  await expect(target.value('Description')).toHaveText('words');
  await expect(target.edit).toHaveAttribute('aria-disabled', 'true');
  await expect(target.edit).toHaveAccessibleDescription(new RegExp(mayNot('edit this target')));
  await page.keyboard.press('e');
  await expect(page).not.toHaveURL(/\/edit/);

  await visit(page, `/local/targets/${created.id}/edit`);
  await expect(page.getByText(mayNot('edit this target'))).toBeVisible();
  await expect(new TargetForm(page).form).toHaveCount(0);
  await visit(page, `/local/targets/new?scope=${project.id}`);
  await expect(page.getByRole('alert')).toContainText("You can't create targets");
});

test('the service refuses a reader, whatever the page offers', async ({
  openBrowser,
  project,
  createTarget,
  controller,
}) => {
  const created = await createTarget();
  const page = await openBrowser('read-only');
  const api = page.context().request;
  const path = `/api/environments/local/access/targets`;
  const guarded = { ...consoleHeaders, 'if-match': '"1"' };
  const refused = [
    await api.patch(`${path}/${created.id}`, { headers: guarded, data: { description: 'x' } }),
    await api.delete(`${path}/${created.id}`, { headers: guarded }),
    await api.post(path, {
      headers: consoleHeaders,
      data: { scope_id: project.id, type: 'ssh', name: 'x' },
    }),
  ];
  for (const answer of refused) {
    expect(answer.status()).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'forbidden' });
  }
  expect(await controller.read('targets', created.id)).toMatchObject({ version: 1, description: '' });
});

test('a right that was lost while the form was open is reported, and the edit stays', async ({
  stack,
  createPerson,
  openBrowser,
  createTarget,
}) => {
  const created = await createTarget();
  const person = await createPerson('operator');
  const page = await openBrowser(person);
  const form = new TargetForm(page);
  await form.open(created.id);
  await form.description.fill('mine');
  const account = stack.accounts.get(person.id);
  await stack.accounts.update(person.id, account?.version ?? 0, { roles: { access: 'read-only' } });
  await form.save.click();
  await expect(form.problem).toContainText('Not allowed');
  await expect(form.description).toHaveValue('mine');
});

test('an operator creates, changes and deletes', async ({ openBrowser, project }) => {
  const page = await openBrowser('operator');
  const form = new TargetForm(page);
  await form.openNew(project.id);
  await form.name.fill("operator's");
  await form.port.fill('22');
  await form.save.click();
  await expectToast(page, "Target operator's created");
  const target = new TargetPage(page);
  await target.edit.click();
  await form.description.fill('words');
  await form.save.click();
  await expect(target.value('Description')).toHaveText('words');
  await target.choose('Delete');
  await page.getByRole('button', { name: 'Delete target' }).click();
  await expectToast(page, "Target operator's deleted");
});
