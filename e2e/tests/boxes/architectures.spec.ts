import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { createBox, createImage, downloadDigest, mebibyte, vagrantFinds } from '../../fixtures/images.ts';
import { expect, test } from '../../fixtures/publish-test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { newBoxName, PublishPage, tagOf } from '../../pages/publish-page.ts';
import { RecordForm } from '../../pages/record-form.ts';

/** Checks a screen with axe, and in a narrow window. */
async function lookAt(page: Page, state: string): Promise<void> {
  await expectAccessible(page, state);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFits(page, state);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('two architectures of one provider are read from their files, published, and found by clients', async ({
  signedIn: page,
  folder,
  stack,
}) => {
  const wizard = new PublishPage(page);
  await page.clock.install();
  const name = newBoxName();
  const tag = tagOf(name);
  const amd = await createBox(folder, 'first.box', { provider: 'libvirt', architecture: 'x86_64' });
  const arm = await createImage(folder, 'base-libvirt-arm64.box', mebibyte);
  const again = await createImage(folder, 'other-libvirt-aarch64.box', mebibyte);
  await wizard.begin(name);
  await wizard.images.setInputFiles([amd.path, arm.path, again.path]);

  const first = page.getByRole('region', { name: 'libvirt (amd64)' });
  const others = page.getByRole('region', { name: 'libvirt (arm64)' });
  const [second, third] = [others.first(), others.last()];
  await expect(first).toContainText('From metadata.json in the file.');
  await expect(first.getByText('Default architecture')).toBeVisible();
  for (const one of [second, third])
    await expect(one).toContainText('Another image here is also for libvirt (arm64).');
  await wizard.createProviders.click();
  await expect(second.getByRole('textbox', { name: 'Architecture' })).toBeFocused();
  await lookAt(page, 'two images that collide');
  await third.getByRole('button', { name: /^Remove libvirt/ }).click();
  await expect(second).toContainText('From the file name');
  await second.getByRole('button', { name: 'Make it the default' }).click();
  await expect(first.getByRole('button', { name: 'Make it the default' })).toBeVisible();
  await lookAt(page, 'two architectures');
  await wizard.createProviders.click();
  await wizard.expectDelivered(2);
  await wizard.release();
  await expect(wizard.released(tag)).toBeVisible();
  await expect(
    page.getByText('Clients can now find this version for libvirt (amd64), libvirt (arm64)'),
  ).toBeVisible();

  const registry = stack.environments[0]?.boxes.url ?? '';
  const at = { registry, tag, version: '1.0.0', provider: 'libvirt' };
  for (const [architecture, image] of [
    ['amd64', amd],
    ['arm64', arm],
    [undefined, arm],
  ] as const) {
    const found = await vagrantFinds(at, architecture);
    expect(found).toMatchObject({ checksum: image.sha256 });
    expect(await downloadDigest(found?.url ?? '')).toBe(image.sha256);
  }

  const vagrantfile = page.getByRole('group', { name: 'Vagrantfile' });
  await expect(vagrantfile).not.toContainText('box_architecture');
  await page.getByRole('button', { name: "The machine's own Architecture" }).click();
  await page.getByRole('option', { name: 'arm64' }).click();
  await expect(vagrantfile).toContainText('config.vm.box_architecture = "arm64"');
  await expect(page.getByRole('group', { name: 'Command' })).toContainText('--architecture arm64');
  await lookAt(page, 'the summary');
});

test("warns before a release that loses an architecture, and deletes a provider's default last", async ({
  signedIn: page,
  owner,
}) => {
  const box = new BoxPage(page);
  const fields = (architecture: string) => ({ architecture });
  await owner.box('wide');
  const all = ['amd64', 'arm64', 'i386', 'ppc64le', 'riscv64', 's390x', 'arm', 'mips64le'];
  await owner.version('wide', '1.0.0');
  for (const architecture of all) await owner.provider('wide', '1.0.0', 'libvirt', fields(architecture));
  await owner.provider('wide', '1.0.0', 'qemu');
  await owner.move('release', 'wide', '1.0.0');
  await owner.version('wide', '1.1.0');
  for (const architecture of all.slice(0, 6))
    await owner.provider('wide', '1.1.0', 'libvirt', fields(architecture));

  await page.goto(owner.place('wide', '1.1.0'));
  await expect(
    page.getByText('Version 1.0.0 has libvirt (arm), libvirt (mips64le), and qemu, and this'),
  ).toBeVisible();
  await box.release.click();
  await expect(box.ask).toContainText(
    "Machines that use libvirt (arm), libvirt (mips64le), and qemu won't get this version",
  );
  await box.ask.getByRole('button', { name: 'Cancel' }).click();

  await visit(page, `${owner.place('wide')}?tab=versions`);
  await expect(page.getByRole('columnheader')).toHaveText(['Version', 'State', 'libvirt', 'qemu', ...all]);
  const missing = box.version('1.1.0').getByText('Missing');
  await expect(missing).toHaveCount(3);
  await expect(box.version('1.1.0')).toContainText('version 1.0.0 has libvirt (mips64le)');
  await lookAt(page, 'eight architectures');

  await visit(page, owner.place('wide', '1.1.0'));
  const menuOf = (image: string) =>
    page.getByRole('button', { name: `Actions for ${image}`, exact: true }).click();
  await menuOf('libvirt (amd64)');
  await expect(box.entry('Delete')).toHaveAttribute('aria-disabled', 'true');
  await expect(box.entry('Delete')).toContainText('First make another one the default');
  await page.keyboard.press('Escape');
  await box.chooseOf('libvirt (arm64)', 'Edit');
  const form = new RecordForm(page, 'provider');
  await expect(form.field('Architecture')).toHaveValue('arm64');
  await form.form.getByText('Default architecture', { exact: true }).click();
  await lookAt(page, 'the form of a provider');
  await form.save('Save provider').click();
  await expectToast(page, 'Provider libvirt (arm64) saved');
  await expect(page.getByRole('listitem').filter({ hasText: 'Default architecture' })).toContainText('arm64');
  await box.chooseOf('libvirt (amd64)', 'Delete');
  await box.confirm('Delete provider', 'libvirt');
  await expectToast(page, 'Provider libvirt (amd64) deleted');
  expect(await owner.read('wide', '1.1.0', 'libvirt')).toMatchObject({ architecture: 'arm64' });
  expect(await owner.read('wide', '1.1.0', 'libvirt', 'amd64')).toBeUndefined();

  const boxes = new BoxesPage(page);
  await boxes.open(`?q=${owner.username}`);
  await boxes.architecture.fill('mips');
  const answered = page.waitForResponse(/[?&]architecture=mips64le/);
  await page.getByRole('option', { name: 'mips64le' }).click();
  await expect(page).toHaveURL(/[?&]architecture=mips64le/);
  await answered;
  await expect(boxes.tags).toHaveText([`${owner.username}/wide`]);
  await boxes.open(`?q=${owner.username}&architecture=sparc`);
  await page.getByRole('button', { name: 'Show all boxes' }).click();
  await expect(boxes.tags).not.toHaveCount(0);
});
