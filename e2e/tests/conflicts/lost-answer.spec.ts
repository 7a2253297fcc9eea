import { expect, test } from '../../fixtures/test.ts';
import { expectToast } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';

test('repeating a save whose answer never reached the browser is no conflict', async ({
  signedIn: page,
  createTarget,
  controller,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  await page.route(
    `**/access/targets/${target.id}`,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await form.save.click();
  await expect(form.problem).toContainText("The console isn't responding");
  expect(await controller.read('targets', target.id)).toMatchObject({ version: 2, description: 'mine' });
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
  await expect(new ConflictView(page).section).toHaveCount(0);
  expect((await controller.read('targets', target.id)).version).toBe(2);
});

test("a deletion whose answer never reached the browser isn't reported as failed", async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget();
  await page.goto(`/local/targets/${target.id}`);
  await page.route(
    (url) => url.pathname.endsWith(`/access/targets/${target.id}`),
    async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    },
  );
  await new TargetPage(page).choose('Delete');
  const dialog = page.getByRole('alertdialog', { name: `Delete target ${target.name}?` });
  await dialog.getByRole('button', { name: 'Delete target' }).click();
  await expect(dialog.getByText('Outcome unknown')).toBeVisible();
  await expect(dialog.getByText('Request failed')).toHaveCount(0);
});

test('a save whose answer never reached the console is recognized as done', async ({
  remote: { page, proxy },
  createTarget,
  controller,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  proxy.onRequest = (bytes) => {
    // Only the answer to the write is lost.
    if (bytes.includes('PATCH ')) proxy.cutNext = 0;
  };
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
  await expect(new ConflictView(page).section).toHaveCount(0);
  expect(await controller.read('targets', target.id)).toMatchObject({ version: 2, description: 'mine' });
});

test('an unknown outcome of a save is reported, and compared with the stored secret', async ({
  remote: { page, proxy },
  createTarget,
  controller,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  proxy.losesFrom = 'PATCH ';
  await form.save.click();
  await expect(form.problem).toContainText('Outcome unknown');
  expect(await controller.read('targets', target.id)).toMatchObject({ version: 2, description: 'mine' });
  proxy.fault = { kind: 'none' };
  await form.problem.getByRole('button', { name: 'Compare with the stored record' }).click();
  await expect(new ConflictView(page).summary).toContainText('Nothing is left to save');
  await expect(form.count).toHaveText('No changes');
});

test('a controller that is cut off during an answer breaks no form', async ({
  remote: { page, proxy },
  createTarget,
}) => {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('mine');
  for (const fault of [
    { kind: 'hang up' },
    { kind: 'garbage', seed: 7 },
    { kind: 'cut', atByte: 60 },
  ] as const) {
    proxy.fault = fault;
    proxy.drop();
    // The previous save's refusal is shown until this one is sent.
    const answered = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await form.save.click();
    await answered;
    await expect(form.problem).toBeVisible();
    await expect(form.description).toHaveValue('mine');
    await expect(form.count).toHaveText('1 change');
  }
  proxy.fault = { kind: 'none' };
  proxy.drop();
  await form.save.click();
  await expectToast(page, `Target ${target.name} saved`);
});
