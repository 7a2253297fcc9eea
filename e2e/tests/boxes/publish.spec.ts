import { signInToBoxes } from '@gatehouse/stack/boxes-client';
import type { Page } from '@playwright/test';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { createImage, downloadDigest, mebibyte, redirectOf, vagrantFinds } from '../../fixtures/images.ts';
import { expect, test } from '../../fixtures/publish-test.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { press, tabTo } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { newBoxName, PublishPage, tagOf } from '../../pages/publish-page.ts';

const wide = { width: 1440, height: 900 };

/** Checks a step with axe, and in a narrow window. */
async function lookAt(page: Page, step: string): Promise<void> {
  await expectAccessible(page, step);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectFits(page, step);
  await page.setViewportSize(wide);
}

test('a box with files and an address is published, and clients get the same bytes', async ({
  signedIn: page,
  folder,
}) => {
  const wizard = new PublishPage(page);
  await page.clock.install();
  const name = newBoxName();
  const tag = tagOf(name);
  const [libvirt, qemu] = [
    await createImage(folder, 'base-libvirt.box', 3 * mebibyte),
    await createImage(folder, 'base-qemu.box', 2 * mebibyte),
  ];
  await wizard.open();
  await expect(wizard.name).toBeVisible();
  await lookAt(page, 'the box');
  await wizard.name.fill(name);
  await wizard.makePublic();
  await wizard.createBox.click();
  await expect(wizard.number).toBeVisible();
  await lookAt(page, 'the version');
  await page.getByRole('button', { name: '1.0.0' }).click();
  await wizard.createVersion.click();

  await wizard.images.setInputFiles([libvirt.path, qemu.path]);
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'virtualbox', exact: true }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/base.box');
  await expect(page.getByText(libvirt.sha256)).toBeVisible();
  await expect(page.getByText(qemu.sha256)).toBeVisible();
  await lookAt(page, 'the providers');
  await wizard.createProviders.click();
  await wizard.expectDelivered(2);
  await lookAt(page, 'the images');
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('region', { name: `Versions of ${tag}` })).toBeVisible();
  await lookAt(page, 'the review');
  await page.getByRole('button', { name: 'Release 1.0.0' }).click();
  const ask = page.getByRole('alertdialog', { name: `Release ${tag} 1.0.0?` });
  await expect(ask).toContainText("Clients that don't request a version get this one.");
  await expect(ask).toContainText("This can't be undone");
  await lookAt(page, 'the question before the release');
  await wizard.confirmRelease.click();
  await expect(wizard.released(tag)).toBeVisible();
  await expect(page.getByRole('group', { name: 'Vagrantfile' })).toContainText(`config.vm.box = "${tag}"`);
  await lookAt(page, 'the summary');

  // Does what the shown command says, as vagrant does.
  const command = await page.getByRole('group', { name: 'Command' }).innerText();
  const [, registry = '', box = '', version = ''] =
    /^VAGRANT_SERVER_URL=(\S+) vagrant box add (\S+) --box-version (\S+)$/.exec(command.trim()) ?? [];
  expect([box, version]).toEqual([tag, '1.0.0']);
  for (const [provider, image] of [
    ['libvirt', libvirt],
    ['qemu', qemu],
  ] as const) {
    const found = await vagrantFinds({ registry, tag: box, version, provider });
    expect(found).toMatchObject({ checksum: image.sha256, checksum_type: 'sha256' });
    expect(await downloadDigest(found?.url ?? '')).toBe(image.sha256);
  }
  const elsewhere = await vagrantFinds({ registry, tag: box, version, provider: 'virtualbox' });
  expect(await redirectOf(elsewhere?.url ?? '')).toBe('https://images.example.com/base.box');
});

test('an existing box, version and provider are offered', async ({ signedIn: page, stack, folder }) => {
  const name = newBoxName();
  const tag = tagOf(name);
  const image = await createImage(folder, 'base-libvirt.box', mebibyte);
  const url = stack.environments[0]?.boxes.url ?? '';
  const registry = await signInToBoxes(url, loginNames.administrator, password);
  await registry.post('/api/v1/boxes', {
    box: { username: loginNames.administrator, name, is_private: false },
  });
  await registry.post(`/api/v1/box/${tag}/versions`, {
    version: { version: '1.0.0', description: 'Known issues' },
  });
  await registry.post(`/api/v1/box/${tag}/version/1.0.0/providers`, {
    provider: { name: 'docker', url: 'https://images.example.com/old.box' },
  });
  await registry.post(`/api/v1/box/${tag}/version/1.0.0/providers`, { provider: { name: 'libvirt' } });
  await registry.sendImage(
    `/api/v1/box/${tag}/version/1.0.0/provider/libvirt`,
    Buffer.from('an older image'),
  );
  const wizard = new PublishPage(page);
  await page.clock.install();
  const useIt = page.getByRole('button', { name: 'Use it unchanged' });
  const compared = page.getByRole('table', { name: 'Existing and yours' });
  await wizard.open();
  await wizard.name.fill(name);
  await page.getByRole('textbox', { name: 'Short description' }).fill('Another one');
  await wizard.createBox.click();
  await expect(page.getByText(`The box ${tag} already exists`)).toBeVisible();
  await expect(compared).toContainText('Another one');
  await expectAccessible(page, 'the offer');
  await useIt.click();

  await wizard.number.fill('v1');
  await wizard.createVersion.click();
  await expect(wizard.number).toBeFocused();
  await wizard.number.fill('1.0.0');
  const news = page.getByRole('textbox', { name: "What's new" });
  await wizard.createVersion.click();
  await expect(compared).toContainText('Known issues');
  await expect(compared).toContainText('Removed');
  await news.fill('Something else');
  await expect(compared).toContainText('Something else');
  await registry.put(`/api/v1/box/${tag}/version/1.0.0`, { version: { description: 'Breaks X' } });
  await page.getByRole('button', { name: 'Use these change notes' }).click();
  await expect(page.getByText('Version 1.0.0 has changed since you saw it', { exact: true })).toBeVisible();
  await expect(compared).toContainText('Breaks X');
  await lookAt(page, 'the offer after a change');
  await page.getByRole('button', { name: 'Use these change notes' }).click();

  await wizard.images.setInputFiles([image.path]);
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'docker', exact: true }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/new.box');
  await wizard.createProviders.click();
  await expect(page.getByText('Provider docker already exists', { exact: true })).toBeVisible();
  await expect(compared.filter({ hasText: 'https://images.example.com/old.box' })).toContainText(
    'https://images.example.com/new.box',
  );
  await page.getByRole('button', { name: 'Use my values' }).click();
  await expect(page.getByText('Provider libvirt already exists', { exact: true })).toBeVisible();
  await expect(compared.filter({ hasText: 'Stored in the registry' })).toContainText('base-libvirt.box');
  await page.getByRole('button', { name: 'Replace its image' }).click();
  const ask = page.getByRole('alertdialog', { name: 'Replace libvirt?' });
  await ask.getByRole('textbox').fill('libvirt');
  await ask.getByRole('button', { name: 'Replace provider' }).click();
  await wizard.expectDelivered();
  await wizard.release();
  await expect(wizard.released(tag)).toBeVisible();
  const replaced = await vagrantFinds({ registry: url, tag, version: '1.0.0', provider: 'libvirt' });
  expect(await downloadDigest(replaced?.url ?? '')).toBe(image.sha256);
  const found = await vagrantFinds({ registry: url, tag, version: '1.0.0', provider: 'docker' });
  expect(await redirectOf(found?.url ?? '')).toBe('https://images.example.com/new.box');

  // Everything exists already, so the run only ends.
  await wizard.open();
  await wizard.name.fill(name);
  await wizard.createBox.click();
  await useIt.click();
  await wizard.number.fill('1.0.0');
  await wizard.createVersion.click();
  await useIt.click();
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'docker', exact: true }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/new.box');
  await wizard.createProviders.click();
  await expect(page.getByRole('heading', { name: '1.0.0 is already released' })).toBeVisible();
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(wizard.released(tag)).toBeVisible();
});

test('a box is published with only the keyboard', async ({ signedIn: page, folder }) => {
  const wizard = new PublishPage(page);
  await page.clock.install();
  const name = newBoxName();
  const image = await createImage(folder, 'base-libvirt.box', mebibyte);
  await wizard.open();
  await tabTo(page, wizard.name);
  await page.keyboard.type(name);
  await press(page, 'Enter');
  await expect(wizard.number).toBeFocused();
  await page.keyboard.type('1.0.0');
  await press(page, 'Enter');
  await expect(wizard.step('Providers')).toBeFocused();
  // Requested before the keys, because a busy browser handles a key before its picker is wanted.
  const choosing = page.waitForEvent('filechooser');
  await tabTo(page, page.getByRole('button', { name: 'Choose images' }));
  await press(page, 'Enter');
  await (await choosing).setFiles(image.path);
  await expect(page.getByText(image.sha256)).toBeVisible();
  await tabTo(page, wizard.createProviders);
  await press(page, 'Enter');
  await expect(wizard.step('Images')).toBeFocused();
  await wizard.expectDelivered();
  await tabTo(page, page.getByRole('link', { name: 'Review', exact: true }));
  await press(page, 'Enter');
  await expect(wizard.step('Review and release')).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Release 1.0.0' }));
  await press(page, 'Enter');
  await tabTo(page, wizard.confirmRelease);
  await press(page, 'Enter');
  await expect(wizard.released(tagOf(name))).toBeVisible();
});

test('changes at the registry are shown before the release', async ({ signedIn: page, stack }) => {
  const wizard = new PublishPage(page);
  const name = newBoxName();
  await wizard.begin(name);
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'docker', exact: true }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/mine.box');
  await wizard.createProviders.click();
  const clients = page.getByRole('list', { name: 'Providers of 1.0.0' });
  await expect(clients).toContainText('https://images.example.com/mine.box');
  await page.getByRole('button', { name: 'Release 1.0.0' }).click();
  const ask = page.getByRole('alertdialog');
  await expect(ask).toContainText('https://images.example.com/mine.box');
  const registry = await signInToBoxes(
    stack.environments[0]?.boxes.url ?? '',
    loginNames.administrator,
    password,
  );
  const provider = `/api/v1/box/${tagOf(name)}/version/1.0.0/provider/docker`;
  await registry.put(provider, {
    provider: { name: 'docker', url: 'https://elsewhere.example.com/other.box' },
  });
  await wizard.confirmRelease.click();
  await expect(ask).toContainText('Provider docker was changed.');
  await expect(ask.getByRole('list', { name: 'What clients get' })).toContainText(
    'https://images.example.com/mine.box',
  );
  await expect(ask.getByRole('list', { name: 'Current providers' })).toContainText(
    'https://elsewhere.example.com/other.box',
  );
  await expectAccessible(page, 'a release over what was changed since');
  expect(await registry.read(`/api/v1/box/${tagOf(name)}/version/1.0.0`)).toMatchObject({
    status: 'unreleased',
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(clients).toContainText('Differs from what you entered in this publishing run');
});

test("two windows on one plan don't undo each other", async ({ signedIn: page, context }) => {
  const wizard = new PublishPage(page);
  const name = newBoxName();
  await wizard.begin(name);
  const other = new PublishPage(await context.newPage());
  await other.page.goto(page.url());
  for (const [{ page: window }, provider] of [
    [wizard, 'docker'],
    [other, 'virtualbox'],
  ] as const) {
    await window.getByRole('button', { name: 'Add a provider' }).click();
    await window.getByRole('button', { name: provider, exact: true }).click();
    await window.getByRole('textbox', { name: 'Address' }).fill(`https://images.example.com/${provider}.box`);
  }
  await wizard.createProviders.click();
  await expect(page.getByRole('heading', { name: 'Release 1.0.0?' })).toBeVisible();
  await other.createProviders.click();
  const conflict = new ConflictView(other.page);
  await expect(conflict.section).toBeVisible();
  await expectAccessible(other.page, 'a plan that was changed meanwhile');
  await other.createProviders.click();
  await expect(other.page.getByRole('heading', { name: 'Release 1.0.0?' })).toBeVisible();
  for (const provider of ['docker', 'virtualbox']) {
    await expect(other.page.getByText(`Provider ${provider}`, { exact: true })).toBeVisible();
  }
});
