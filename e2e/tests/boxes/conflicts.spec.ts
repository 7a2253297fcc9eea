import { expect, test } from '../../fixtures/test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

test("acting on a changed box shows the change first, and edits aren't lost", async ({
  signedIn: page,
  owner,
}) => {
  test.slow();
  await test.step('boxes edited or released by others are deleted, released or revoked only knowingly', async () => {
    await owner.released('base');
    await owner.version('base', '2.0.0');
    await owner.provider('base', '2.0.0', 'virtualbox');
    const box = new BoxPage(page);
    await page.goto(owner.place('base', '2.0.0'));
    await box.release.click();
    await owner.remove('base', '2.0.0', 'virtualbox');
    await box.confirm('Release version');
    await expect(box.ask).toContainText(/Provider virtualbox.* was deleted\./);
    await box.confirm('Release it anyway');
    await expect(box.ask.getByRole('alert')).toContainText('It needs a provider with an address');
    expect(await owner.read('base', '2.0.0')).toMatchObject({ status: 'unreleased' });
    await owner.provider('base', '2.0.0', 'virtualbox');
    await owner.update(['base', '2.0.0'], { description: 'Not ready, please wait' });
    await box.confirm('Release it anyway');
    await expect(box.ask.getByRole('alert')).toContainText('Changed since you opened it');
    await expect(box.ask.getByRole('table', { name: 'Changed since you opened it' })).toContainText(
      'please wait',
    );
    expect(await owner.read('base', '2.0.0')).toMatchObject({ status: 'unreleased' });
    await box.confirm('Release it anyway');
    await expectToast(page, `${owner.username}/base 2.0.0 released`);
    expect(await owner.read('base', '2.0.0')).toMatchObject({ status: 'active' });

    await box.choose('Delete');
    await box.ask.getByRole('textbox').fill('2.0.0');
    await owner.move('revoke', 'base', '2.0.0');
    await box.confirm('Delete version');
    await expect(box.ask).toContainText('The version is revoked now; it was released.');
    expect(await owner.read('base', '2.0.0')).toBeDefined();
    await box.confirm('Delete it anyway');
    await expectToast(page, `${owner.username}/base 2.0.0 deleted`);
    expect(await owner.read('base', '2.0.0')).toBeUndefined();

    await visit(page, owner.place('base', '1.0.0'));
    await box.choose('Revoke permanently');
    await box.ask.getByRole('textbox').fill('1.0.0');
    await owner.remove('base', '1.0.0');
    await box.confirm('Revoke version');
    await expectToast(page, 'Not revoked');

    await page.goto(owner.place('base'));
    await box.choose('Delete');
    await box.ask.getByRole('textbox').fill(`${owner.username}/base`);
    await owner.update(['base'], { description: 'Keep this one' });
    await owner.version('base', '3.0.0');
    await box.confirm('Delete box');
    await expect(box.ask).toContainText('Version 3.0.0 is new.');
    await expect(box.ask.getByRole('table', { name: 'Changed since you opened it' })).toContainText(
      'Keep this one',
    );
    expect(await owner.read('base')).toBeDefined();
    await box.confirm('Delete it anyway');
    await expectToast(page, `Box ${owner.username}/base deleted`);
    expect(await owner.read('base')).toBeUndefined();
  });
  await test.step('an edit of a box that was deleted or released is not lost', async () => {
    const conflict = new ConflictView(page);
    await owner.released('disk', ['1.0.0']);
    await owner.version('disk', '2.0.0');
    await owner.provider('disk', '2.0.0', 'virtualbox');
    const provider = new RecordForm(page, 'provider');
    await visit(page, `${owner.place('disk', '2.0.0', 'virtualbox')}/edit`);
    await provider.field('Image address').fill('https://mine.example.com/base.box');
    await owner.remove('disk', '2.0.0', 'virtualbox');
    await provider.save('Save provider').click();
    await expect(conflict.deleted).toContainText('This provider was deleted while you were editing');
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, 'Provider virtualbox recreated');
    expect(await owner.read('disk', '2.0.0', 'virtualbox')).toMatchObject({
      original_url: 'https://mine.example.com/base.box',
    });

    const version = new RecordForm(page, 'version');
    await visit(page, `${owner.place('disk', '2.0.0')}/edit`);
    await version.field("What's new").fill('of mine');
    await owner.move('release', 'disk', '2.0.0');
    await version.save('Save version').click();
    await expect(conflict.summary).toContainText("don't overlap");
    await expect(page.getByText('The version is released now; it was unreleased.')).toBeVisible();
    await version.save('Save version').click();
    await expectToast(page, 'Version 2.0.0 saved');
    expect(await owner.read('disk', '2.0.0')).toMatchObject({
      status: 'active',
      description_markdown: 'of mine',
    });

    const box = new RecordForm(page, 'box');
    await visit(page, `${owner.place('disk')}/edit`);
    await box.field('Short description').fill('of mine');
    await owner.remove('disk');
    await box.save('Save box').click();
    await expect(conflict.deleted).toBeFocused();
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, `Box ${owner.username}/disk recreated`);
    expect(await owner.read('disk')).toMatchObject({ short_description: 'of mine', versions: [] });
  });
});
