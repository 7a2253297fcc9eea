import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectRowVisible, expectToast } from '../../fixtures/vocabulary.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('targets are created, and errors are reported', async ({ signedIn: page, project, createTarget }) => {
  test.slow();
  const targets = new TargetsPage(page);
  const form = new TargetForm(page);
  await test.step('an empty project says what a target is, and how to create the first', async () => {
    await targets.open(project.id);
    await expect(page.getByRole('heading', { name: 'No targets you can see in this scope' })).toBeVisible();
    await expect(page.getByText(`-scope-id ${project.id}`)).toBeVisible();
    await page.getByRole('link', { name: 'Create the first target' }).click();
    await expect(page).toHaveURL(new RegExp(`/targets/new\\?scope=${project.id}`));
  });
  for (const { type, port, usual } of [
    { type: 'TCP', port: '5432', usual: '5432' },
    { type: 'SSH', port: '', usual: '22' },
    { type: 'RDP', port: '', usual: '3389' },
  ] as const) {
    await test.step(`a target of type ${type} is created and shown in the list`, async () => {
      await targets.open(project.id);
      await targets.create.click();
      await expect(form.project).toHaveValue(new RegExp(project.name));
      await form.name.fill(`made ${type}`);
      await form.form.getByText(type, { exact: true }).click();
      await form.address.fill('made.example');
      await form.port.fill(port);
      await form.description.fill('made in a test');
      await form.save.click();
      await expectToast(page, `Target made ${type} created`);
      const target = new TargetPage(page);
      await expect(target.heading).toHaveText(`made ${type}`);
      await expect(target.value('Default port')).toHaveText(usual);
      await expect(target.value('Address')).toContainText('made.example');
      await expect(target.value('Description')).toHaveText('made in a test');
      await expect(target.value('Version')).toHaveText('1');
      // Creating replaces the form, so Back opens the list, not an empty form.
      await page.goBack();
      await expectRowVisible(targets.grid, { Name: `made ${type}`, Port: usual });
    });
  }
  await test.step('an SSH target keeps the properties that only SSH targets have', async () => {
    await form.openNew(project.id);
    await form.name.fill('recorded');
    await form.form.getByText('SSH', { exact: true }).click();
    await form.field('Storage bucket').fill('sb_1234567890');
    await form.form.getByText('Record sessions').click();
    await form.save.click();
    const target = new TargetPage(page);
    await expect(target.value('Recorded')).toHaveText('Yes');
    await expect(target.value('Storage bucket')).toContainText('sb_1234567890');
  });
  await test.step('errors are reported beside their fields, and the first has the focus', async () => {
    await form.openNew(project.id);
    await form.address.fill('a host:80');
    await form.port.fill('70000');
    await form.field('Maximum connections per session').fill('0');
    await form.save.click();
    await expectFieldError(form.form, 'Name', /needs a name/);
    await expect(form.name).toBeFocused();
    await expectFieldError(form.form, 'Address', /\S/);
    await expectFieldError(form.form, 'Default port', /from 1 to 65535/);
    await expectFieldError(form.form, 'Maximum connections per session', /-1 for no limit/);
    await form.port.fill('70');
    await expect(form.port).not.toHaveAttribute('aria-invalid', 'true');
    await form.name.fill('corrected');
    await form.address.fill('a-host');
    await form.field('Maximum connections per session').fill('-1');
    await form.field('Worker filter').fill('"a" in "/tags/b"');
    await form.field('Egress worker filter').fill('"a" in "/tags/b"');
    await form.save.click();
    await expectFieldError(form.form, 'Worker filter', /Use either this or the egress/);
    await form.field('Egress worker filter').fill('');
    await form.save.click();
    await expectToast(page, 'Target corrected created');
  });
  await test.step('a TCP target needs a port, an SSH target does not', async () => {
    await form.openNew(project.id);
    await form.name.fill('no port');
    await form.save.click();
    await expectFieldError(form.form, 'Default port', /A TCP target needs a default port\./);
    await form.form.getByText('SSH', { exact: true }).click();
    await form.save.click();
    await expectToast(page, 'Target no port created');
  });
  await test.step('errors that only the controller finds are reported beside the field too', async () => {
    const taken = await createTarget({ name: 'taken' });
    await form.openNew(project.id);
    await form.name.fill('taken');
    await form.port.fill('22');
    await form.save.click();
    await expectFieldError(form.form, 'Name', /./);
    await expect(form.name).toBeFocused();
    await form.name.fill('free');
    await form.field('Egress worker filter').fill('"a" in');
    await form.save.click();
    await expectFieldError(form.form, 'Egress worker filter', /./);
    await form.field('Egress worker filter').fill('"a" in "/tags/b"');
    await form.save.click();
    await expectToast(page, 'Target free created');

    await new TargetPage(page).edit.click();
    await form.name.fill('taken');
    await form.save.click();
    await expectFieldError(form.form, 'Name', /./);
    await expect(form.count).toHaveText('1 change');
    await form.discard.click();
    await form.guard.getByRole('button', { name: 'Discard 1 change' }).click();
    await new TargetPage(page).open(taken.id);
    await expect(new TargetPage(page).value('Version')).toHaveText('1');
  });
});

test("targets are edited, and edits aren't lost without a question", async ({
  signedIn: page,
  createTarget,
  controller,
  project,
}) => {
  test.slow();
  const form = new TargetForm(page);
  await test.step('an edit is reviewed, undone field by field, and saved with Ctrl+S', async () => {
    const target = await createTarget({ description: 'before', address: 'before.example' });
    await form.open(target.id);
    await expect(form.count).toHaveText('No changes');
    await form.description.fill('after');
    await form.address.fill('after.example');
    await form.port.fill('2222');
    await expect(form.count).toHaveText('3 changes');
    await form.review.click();
    const row = (field: string) => form.changes.getByRole('row').filter({ hasText: field });
    await expect(row('Description').getByRole('deletion')).toHaveText('before');
    await expect(row('Description').getByRole('insertion')).toHaveText('after');
    await expect(row('Default port')).toContainText('2222');
    await page.getByRole('button', { name: 'Undo Address' }).click();
    await expect(form.address).toHaveValue('before.example');
    await expect(form.count).toHaveText('2 changes');
    await form.port.press('Control+s');
    await expectToast(page, `Target ${target.name} saved`);
    const stored = await controller.read('targets', target.id);
    expect(stored).toMatchObject({ description: 'after', address: 'before.example', version: 2 });
    await expect(new TargetPage(page).value('Default port')).toHaveText('2222');
  });
  await test.step('saving without a change stores nothing', async () => {
    const target = await createTarget();
    await form.open(target.id);
    await form.save.click();
    await expect(page).toHaveURL(new RegExp(`/targets/${target.id}$`));
    expect((await controller.read('targets', target.id)).version).toBe(1);
  });
  await test.step('a field is cleared, and the limits return to their defaults', async () => {
    const created = await createTarget({ description: 'words', session_max_seconds: 60 });
    await form.open(created.id);
    await form.description.fill('');
    await form.longestSession.fill('3600');
    await form.save.click();
    const target = new TargetPage(page);
    await expect(target.value('Description')).toHaveText('Not set');
    await expect(target.value('Maximum session duration')).toHaveText('3,600 s (1 h)');
  });
  await test.step('a link, Escape, Back and Cancel ask before changes are lost', async () => {
    const created = await createTarget();
    const targets = new TargetsPage(page);
    await targets.open(project.id);
    await targets.link(created.name).click();
    await new TargetPage(page).edit.click();
    await form.description.fill('mine');
    const ways = [
      () => page.getByRole('link', { name: 'Overview' }).click(),
      () => page.goBack(),
      () => form.discard.click(),
      async () => {
        await form.bar.getByText('1 change').click();
        await page.keyboard.press('Escape');
      },
    ];
    for (const leave of ways) {
      await leave();
      await expect(form.guard).toBeVisible();
      // Focus starts where a slip does no harm.
      await expect(form.guard.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(form.guard).toBeHidden();
      await expect(form.description).toHaveValue('mine');
      await expect(page).toHaveURL(/\/edit/);
    }
    await form.discard.click();
    await form.guard.getByRole('button', { name: 'Discard 1 change' }).click();
    await expect(new TargetPage(page).value('Description')).toHaveText('Not set');
    expect((await controller.read('targets', created.id)).version).toBe(1);
    // Without changes nothing is asked.
    await new TargetPage(page).edit.click();
    await form.discard.click();
    await expect(page).toHaveURL(new RegExp(`/targets/${created.id}(?:\\?|$)`));
    await expect(new TargetPage(page).edit).toBeVisible();
  });
  await test.step('the form shows the same change as a command, a request and a Terraform block', async () => {
    const created = await createTarget();
    await form.open(created.id);
    await form.description.fill("it's mine");
    const asCode = page.getByRole('region', { name: 'As code' });
    await expect(asCode).toContainText(`boundary targets update tcp`);
    await expect(asCode).toContainText(created.id);
    await asCode.getByRole('radio', { name: 'API' }).click();
    await expect(asCode).toContainText('PATCH');
    await asCode.getByRole('radio', { name: 'Terraform' }).click();
    await expect(asCode).toContainText('resource "boundary_target"');
    await form.discard.click();
    await form.guard.getByRole('button', { name: 'Discard 1 change' }).click();
  });
  await test.step('a reload with changes asks first', async () => {
    const created = await createTarget();
    await form.open(created.id);
    await form.description.pressSequentially('mine');
    const asked = page.waitForEvent('dialog');
    const reloaded = page.evaluate(() => window.location.reload()).catch(() => undefined);
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await reloaded;
    await expect(form.description).toHaveValue('mine');
  });
});
