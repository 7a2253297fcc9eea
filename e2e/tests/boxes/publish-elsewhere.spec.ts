import path from 'node:path';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { createImage, downloadDigest, downloadUrl, filesIn, mebibyte } from '../../fixtures/images.ts';
import { expect, faultyTest as test } from '../../fixtures/publish-test.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { newBoxName, PublishPage } from '../../pages/publish-page.ts';
import { signInAgain } from '../../pages/session-dialogs.ts';
import { Shell } from '../../pages/shell.ts';

// A console in a process of its own is started once.
test.describe.configure({ mode: 'default', timeout: 120_000 });

test('a file that is dropped again finds its upload, and another browser continues it', async ({
  createPerson,
  openBrowser,
  stack,
  console,
  folder,
}) => {
  const person = await createPerson();
  const page = await openBrowser(person);
  const wizard = new PublishPage(page);
  const [name, second] = [newBoxName(), newBoxName()];
  await page.clock.install();
  const tag = `${person.loginName}/${name}`;
  const image = await createImage(folder, 'base-libvirt.box', 3 * mebibyte);
  await wizard.begin(name);
  let held = console.browsers.meetBody(mebibyte, 'hold');
  await wizard.send(image.path);
  await held;
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  console.browsers.passBodies();

  // Another browser continues the upload, and is closed during it.
  const elsewhere = new PublishPage(await openBrowser(person));
  await elsewhere.open();
  await elsewhere.page.getByRole('link', { name: `Continue with ${tag} 1.0.0` }).click();
  await expect(elsewhere.page.getByText('Not sending from this page', { exact: true })).toBeVisible();
  held = console.browsers.meetBody(mebibyte, 'hold');
  await elsewhere.imageFor('libvirt').setInputFiles(image.path);
  await held;
  await elsewhere.page.close();
  console.browsers.passBodies();

  // In the first one it is dropped for another box.
  await wizard.begin(second);
  await wizard.images.setInputFiles(image.path);
  await expect(page.getByText('An upload of this file is unfinished')).toBeVisible();
  const where = page.getByText(`It is for ${tag} 1.0.0, provider libvirt:`);
  await expect(where).toContainText(/: [\d.]+ k?M?B of 3.1 MB have reached the console/);
  await expectAccessible(page, 'a file that is on its way');
  await page.getByRole('button', { name: 'Continue that upload' }).click();
  await wizard.expectDelivered();
  await wizard.release();
  await expect(wizard.released(tag)).toBeVisible();
  const registry = stack.environments[0]?.boxes.url ?? '';
  const at = { registry, tag, version: '1.0.0', provider: 'libvirt' };
  expect(await downloadDigest(downloadUrl(at))).toBe(image.sha256);

  await wizard.open();
  await page.getByRole('link', { name: `Continue with ${person.loginName}/${second} 1.0.0` }).click();
  await wizard.images.setInputFiles(image.path);
  await expect(page.getByText('You already published this file')).toBeVisible();
  await expect(page.getByText(`It was published as ${tag} 1.0.0, for libvirt.`)).toBeVisible();
});

test('an upload whose session has ended resumes once you have signed in again, and never as someone else', async ({
  createPerson,
  openBrowser,
  console,
  folder,
}) => {
  const person = await createPerson();
  const page = await openBrowser(person);
  const wizard = new PublishPage(page);
  const name = newBoxName();
  const image = await createImage(folder, 'base-libvirt.box', 3 * mebibyte);
  await wizard.begin(name);
  let held = console.browsers.meetBody(mebibyte, 'hold');
  await wizard.send(image.path);
  await held;
  await page.getByRole('button', { name: 'Pause' }).click();
  console.browsers.passBodies();
  const resume = async (): Promise<number> => {
    const answered = page.waitForResponse(/\/api\/uploads\//);
    await page.getByRole('button', { name: 'Resume' }).click();
    return (await answered).status();
  };
  await page.context().clearCookies();
  expect(await resume()).toBe(401);
  held = console.browsers.meetBody(mebibyte, 'hold');
  await signInAgain(page).enter(password);
  await held;
  await page.getByRole('button', { name: 'Pause' }).click();
  console.browsers.passBodies();

  const other = await createPerson();
  // Otherwise polling would notice it first.
  const others = /\/api\/(?!uploads|session)/;
  await page.route(others, () => undefined);
  await signInThroughApi(page.context().request, other.loginName, password);
  expect(await resume()).toBe(401);
  await expect(page).not.toHaveURL(/publish/);
  await page.unroute(others);
  await page.reload();
  await expect(new Shell(page).you).toContainText(other.fullName);

  // Nothing is left behind for other tests.
  await signInThroughApi(page.context().request, person.loginName, password);
  await wizard.open();
  await page.getByRole('link', { name: `Continue with ${person.loginName}/${name} 1.0.0` }).click();
  await page.getByRole('button', { name: 'Abandon' }).click();
  await page.getByRole('button', { name: 'Abandon the run' }).click();
  await expect.poll(() => console.waiting()).toEqual([]);
});

test('uploads are visible on all screens, and a canceled one leaves nothing behind', async ({
  createPerson,
  openBrowser,
  stack,
  console,
  folder,
}) => {
  const person = await createPerson();
  const page = await openBrowser(person);
  const wizard = new PublishPage(page);
  const shell = new Shell(page);
  const name = newBoxName();
  const images = path.join(stack.dataDir, 'local', 'box-images');
  const before = await filesIn(images);
  const title = `Publish ${person.loginName}/${name} 1.0.0`;
  const image = await createImage(folder, 'base-libvirt.box', 3 * mebibyte);
  await wizard.begin(name);
  let held = console.browsers.meetBody(mebibyte, 'hold');
  await wizard.send(image.path);
  await held;

  for (const screen of ['Boxes', 'Targets']) {
    await shell.screen(screen).click();
    await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
    await expect(wizard.tray).toContainText(title);
    await expect(wizard.tray).toContainText(/sending/);
  }
  await page.getByRole('button', { name: 'Show uploads' }).click();
  const tasks = page.getByRole('dialog', { name: 'Tasks' });
  await tasks.getByRole('button', { name: 'Pause' }).click();
  await expect(tasks.getByText('Paused', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the tray');
  console.browsers.passBodies();
  await page.reload();
  await expect(wizard.tray).toContainText(title);
  await page.getByRole('button', { name: 'Show uploads' }).click();
  held = console.registry.meetBody(2 * mebibyte, 'hold');
  await tasks.getByLabel('Image for libvirt').setInputFiles(image.path);
  await held;
  await expect(tasks.getByText('Delivering', { exact: true })).toBeVisible();

  // Signing out asks, and stops the delivery if the user wants.
  await page.keyboard.press('Escape');
  await shell.signOut();
  const question = page.getByRole('alertdialog', { name: 'Sign out while 1 image is being transferred?' });
  await expect(question).toBeVisible();
  await expectAccessible(page, 'the question before signing out');
  await question.getByText('Stop the delivery too').click();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  console.registry.passBodies();
  await signInThroughApi(page.context().request, person.loginName, password);
  await wizard.open();
  await expect(wizard.tray).toContainText(/failed/);
  await page.getByRole('button', { name: 'Show uploads' }).click();
  await expect(tasks.getByText(/^The delivery was stopped when you signed out/)).toBeVisible();

  // Delivered again, and canceled.
  held = console.registry.meetBody(mebibyte, 'hold');
  await tasks.getByRole('button', { name: 'Retry delivery' }).click();
  await held;
  await tasks.getByRole('button', { name: 'Cancel the upload for libvirt' }).click();
  await page.getByRole('button', { name: 'Cancel the upload', exact: true }).click();
  await expect(tasks.getByText('No tasks are running.')).toBeVisible();
  console.registry.passBodies();
  await expect.poll(() => console.waiting()).toEqual([]);
  await expect.poll(() => filesIn(images)).toEqual(before);

  await wizard.open();
  await page.getByRole('link', { name: `Continue with ${person.loginName}/${name} 1.0.0` }).click();
  await page.getByRole('button', { name: 'Abandon' }).click();
  await page.getByRole('button', { name: 'Abandon the run' }).click();
  await expect(page.getByText('This publishing run was abandoned')).toBeVisible();
});
