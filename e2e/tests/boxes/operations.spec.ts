import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

test('boxes, versions and providers are created, changed and deleted', async ({ signedIn: page, owner }) => {
  test.slow();
  const box = new BoxPage(page);
  await test.step('a box is created, read, found under another name and deleted', async () => {
    const tag = `${owner.username}/base`;
    const boxes = new BoxesPage(page, owner.username);
    await page.goto(owner.place());
    await page.getByRole('link', { name: 'Create the first box' }).click();
    const form = new RecordForm(page, 'box');
    const create = form.save('Create box');
    await form.field('Name').fill('no spaces please');
    await create.click();
    await expectFieldError(form.form, 'Name', /letters, digits/);
    await expect(form.field('Name')).toBeFocused();
    await form.field('Name').fill('base');
    await form.field('Short description').fill('A base to build on');
    await form.field('Description').fill('# Contents\n\nA *small* system.');
    await create.click();
    await expectToast(page, `Box ${tag} created`);
    expect(await owner.read('base')).toMatchObject({
      tag,
      short_description: 'A base to build on',
      description_markdown: '# Contents\n\nA *small* system.',
      private: true,
      versions: [],
    });

    await expect(box.heading).toHaveText('base');
    await expect(page.getByRole('heading', { name: 'Contents' })).toBeVisible();
    await expect(box.value('Access')).toHaveText(
      "Private: its owner or the organization's members, and administrators of the box registry",
    );
    await box.edit.click();
    await form.field('Name').fill('foundation');
    await form.field('Short description').fill('');
    await form.form.getByText('Private', { exact: true }).click();
    await expect(form.count).toHaveText('3 changes');
    await form.save('Save box').click();
    // Only rights decide who sees a box. Closing the question saves nothing, and keeps the edit.
    await expect(isItYou(page).dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(form.count).toHaveText('3 changes');
    await form.save('Save box').click();
    await isItYou(page).enter(password);
    await expectToast(page, `Box ${owner.username}/foundation saved`);
    await expect(page).toHaveURL(owner.place('foundation'));
    expect(await owner.read('base')).toBeUndefined();
    expect(await owner.read('foundation')).toMatchObject({
      short_description: '',
      description_markdown: '# Contents\n\nA *small* system.',
      private: false,
    });

    // A taken name, in any case, is compared with its record.
    await visit(page, `/local/boxes/new?owner=${owner.username}`);
    await form.field('Name').fill('Foundation');
    await create.click();
    await expect(page.getByText('This box was created while you were editing')).toBeVisible();
    const taken = page.getByRole('table', { name: 'Existing and yours' });
    await expect(taken.getByRole('row', { name: 'Private' })).toContainText('NoYes');
    expect(await owner.read('foundation')).toMatchObject({ name: 'foundation', private: false });

    // Reloaded, because leaving a form with changes would ask first.
    await page.goto(owner.place());
    await expect(boxes.tags).toHaveText([`${owner.username}/foundation`]);
    await boxes.link(`${owner.username}/foundation`).click();
    await box.choose('Delete');
    const remove = box.ask.getByRole('button', { name: 'Delete box' });
    await box.ask.getByRole('textbox').fill('foundation');
    await remove.click();
    await expect(box.ask.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true');
    expect(await owner.read('foundation')).toBeDefined();
    await box.ask.getByRole('textbox').fill(`${owner.username}/foundation`);
    await remove.click();
    await expectToast(page, `Box ${owner.username}/foundation deleted`);
    await expect(page).toHaveURL(owner.place());
    await expect(page.getByText(`${owner.username} has no boxes you can see`)).toBeVisible();
    expect(await owner.read('foundation')).toBeUndefined();
  });
  await test.step('a version is created, edited, released, revoked permanently and deleted', async () => {
    await owner.released('system', ['1.0.0']);
    await owner.version('system', '1.1.0');
    await visit(page, `${owner.place('system')}?tab=versions`);
    await page.getByRole('link', { name: 'New version', exact: true }).click();
    const form = new RecordForm(page, 'version');
    for (const number of ['v2', '1.0.0+1', '1_0']) {
      await form.field('Number').fill(number);
      await form.save('Create version').click();
      await expectFieldError(form.form, 'Number', /digits first/);
      // The next one is refused again.
      await form.field('Number').fill('1.0.0');
      await expect(form.field('Number')).not.toHaveAttribute('aria-invalid', 'true');
    }
    await form.field("What's new").fill('Something else');
    await form.save('Create version').click();
    await expect(page.getByText('This version was created while you were editing')).toBeVisible();
    await page.getByRole('button', { name: 'Replace it with mine' }).click();
    await form.save('Create version').click();
    await expectToast(page, 'Version 1.0.0 saved');
    expect(await owner.read('system', '1.0.0')).toMatchObject({
      status: 'active',
      description_markdown: 'Something else',
    });
    await visit(page, `${owner.place('system')}/new-version`);
    await form.field('Number').fill('2.0.0');
    await form.save('Create version').click();
    await expectToast(page, 'Version 2.0.0 created');
    await expect(page).toHaveURL(owner.place('system', '2.0.0'));
    // Nobody could use it without a provider.
    await expect(box.release).toHaveAttribute('aria-disabled', 'true');
    await expect(box.release).toHaveAccessibleDescription(/no providers yet/);
    await expect(page.getByText("Version 1.0.0 has virtualbox, and this version doesn't")).toBeVisible();

    await box.edit.click();
    await form.field('Number').fill('2.0.0-beta');
    await form.field("What's new").fill('A **new** kernel');
    await form.save('Save version').click();
    await expectToast(page, 'Version 2.0.0-beta saved');
    await expect(page).toHaveURL(owner.place('system', '2.0.0-beta'));
    await expect(page.getByText('A new kernel')).toBeVisible();
    expect(await owner.read('system', '2.0.0')).toBeUndefined();
    expect(await owner.read('system', '2.0.0-beta')).toMatchObject({
      status: 'unreleased',
      description_markdown: 'A **new** kernel',
    });

    await owner.provider('system', '2.0.0-beta', 'libvirt');
    await page.reload();
    await box.release.click();
    await expect(box.ask).toContainText("Machines that use virtualbox won't get this version");
    await box.confirm('Release version');
    await expectToast(page, `${owner.username}/system 2.0.0-beta released`);
    await expect(box.value('State')).toHaveText('Released');
    await expect(box.value('Newest release')).toHaveText('This version');
    await expect(box.release).toHaveCount(0);
    expect(await owner.metadata('system')).toMatchObject({
      versions: [{ version: '2.0.0-beta' }, { version: '1.0.0' }],
    });

    await box.choose('Revoke permanently');
    await expect(box.ask).toContainText('get 1.0.0 again');
    await box.confirm('Revoke version', '2.0.0-beta');
    await expectToast(page, `${owner.username}/system 2.0.0-beta revoked`);
    await expect(box.value('State')).toHaveText('Revoked');
    expect(await owner.metadata('system')).toMatchObject({ versions: [{ version: '1.0.0' }] });
    await expect(box.release).toHaveCount(0);
    await box.openMenu();
    await expect(box.entry('Revoke permanently')).toHaveAttribute('aria-disabled', 'true');

    await box.entry('Delete').click();
    await box.confirm('Delete version', '2.0.0-beta');
    await expectToast(page, `${owner.username}/system 2.0.0-beta deleted`);
    await expect(box.version('1.0.0')).toContainText('Released');
    await expect(box.version('1.1.0')).toContainText('Missing');
    await expect(box.version('2.0.0-beta')).toHaveCount(0);
    expect(await owner.read('system', '2.0.0-beta')).toBeUndefined();
  });
  await test.step('the image of a release is changed after its name was typed', async () => {
    await owner.released('live');
    await visit(page, owner.place('live', '1.0.0'));
    await box.chooseOf('virtualbox', 'Edit');
    const provider = new RecordForm(page, 'provider');
    await provider.form.getByText('SHA512', { exact: true }).click();
    await provider.field('Checksum').fill('ab'.repeat(64));
    await provider.save('Save provider').click();
    await expect(box.ask).toContainText('Version 1.0.0 is released');
    await box.ask.getByRole('button', { name: 'Cancel' }).click();
    await provider.save('Save provider').click();
    await box.confirm('Change provider', 'virtualbox');
    await expectToast(page, 'Provider virtualbox saved');

    await page.getByRole('link', { name: 'New provider' }).click();
    await provider.field('Name').fill('virtualbox');
    await provider.field('Architecture').fill('arm64');
    await provider.save('Create provider').click();
    await box.confirm('Create provider', 'virtualbox');
    await expectToast(page, 'Provider virtualbox (arm64) created');

    await box.edit.click();
    const version = new RecordForm(page, 'version');
    await version.field('Number').fill('1.0.1');
    await version.save('Save version').click();
    await box.confirm('Renumber version', '1.0.0');
    await expectToast(page, 'Version 1.0.1 saved');

    await visit(page, owner.place('live'));
    await box.edit.click();
    const form = new RecordForm(page, 'box');
    await form.field('Name').fill('alive');
    await form.save('Save box').click();
    await box.confirm('Rename box', 'live');
    await expectToast(page, `Box ${owner.username}/alive saved`);
  });
  await test.step('a provider is created, edited and deleted, and its image described correctly', async () => {
    await owner.box('disk');
    await owner.version('disk', '1.0.0');
    await visit(page, owner.place('disk', '1.0.0'));
    await page.getByRole('link', { name: 'New provider' }).click();
    const form = new RecordForm(page, 'provider');
    await form.field('Name').fill('virtual box');
    await form.field('Image address').fill('ftp://images.example.com/base.box');
    await form.save('Create provider').click();
    await expectFieldError(form.form, 'Name', /letters, digits/);
    await expectFieldError(form.form, 'Image address', /http or https/);
    await form.field('Name').fill('virtualbox');
    await form.field('Image address').fill('https://images.example.com/base.box');
    await form.form.getByText('SHA256', { exact: true }).click();
    await form.field('Checksum').fill('abc');
    await form.save('Create provider').click();
    await expectFieldError(form.form, 'Checksum', /64/);
    await form.field('Checksum').fill('AB'.repeat(32));
    await form.save('Create provider').click();
    await expectToast(page, 'Provider virtualbox created');
    expect(await owner.read('disk', '1.0.0', 'virtualbox')).toMatchObject({
      hosted: false,
      original_url: 'https://images.example.com/base.box',
      checksum: 'ab'.repeat(32),
      checksum_type: 'sha256',
    });
    await expect(box.provider('virtualbox')).toContainText('Stored elsewhere');

    await box.chooseOf('virtualbox', 'Edit');
    await form.field('Name').fill('libvirt');
    await form.field('Image address').fill('');
    await form.form.getByText('None', { exact: true }).click();
    await form.field('Checksum').fill('');
    await form.save('Save provider').click();
    await expectToast(page, 'Provider libvirt saved');
    await expect(box.provider('libvirt')).toContainText('No image yet');
    expect(await owner.read('disk', '1.0.0', 'virtualbox')).toBeUndefined();
    expect(await owner.read('disk', '1.0.0', 'libvirt')).toMatchObject({
      hosted: true,
      original_url: null,
      checksum: null,
    });

    await visit(page, `${owner.place('disk', '1.0.0')}/new-provider`);
    await form.field('Name').fill('libvirt');
    await form.field('Image address').fill('https://images.example.com/other.box');
    await form.save('Create provider').click();
    await expect(page.getByText('This provider was created while you were editing')).toBeVisible();
    await page.getByRole('button', { name: 'Replace it with mine' }).click();
    await form.save('Create provider').click();
    await expectToast(page, 'Provider libvirt saved');
    expect(await owner.read('disk', '1.0.0', 'libvirt')).toMatchObject({
      original_url: 'https://images.example.com/other.box',
    });
    await box.chooseOf('libvirt', 'Delete');
    await box.confirm('Delete provider', 'libvirt');
    await expectToast(page, 'Provider libvirt deleted');
    await expect(page.getByText(/^No providers yet\./)).toBeVisible();
    expect(await owner.read('disk', '1.0.0')).toMatchObject({ providers: [] });
  });
});
