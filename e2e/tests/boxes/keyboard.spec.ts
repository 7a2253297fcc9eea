import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press, tabTo, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { RecordForm } from '../../pages/record-form.ts';

test('a box is created, filled, released and found with only the keyboard', async ({
  signedIn: page,
  owner,
}) => {
  await page.goto(owner.place());
  await expect(page.getByRole('link', { name: 'Create the first box' })).toBeVisible();
  await press(page, 'c');
  const form = new RecordForm(page, 'box');
  await tabTo(page, form.field('Name'));
  await page.keyboard.type('base');
  await tabTo(page, form.form.getByRole('checkbox', { name: 'Private' }));
  await press(page, 'Space', 'Control+s');
  await expectToast(page, `Box ${owner.username}/base created`);

  const box = new BoxPage(page);
  await expect(box.heading).toHaveText('base');
  await tabTo(page, page.getByRole('button', { name: /^More actions for / }));
  await press(page, 'Enter');
  await expect(box.entry('New version')).toBeFocused();
  await press(page, 'Enter');
  const version = new RecordForm(page, 'version');
  await expect(version.field('Number')).toBeFocused();
  await page.keyboard.type('1.0.0');
  await press(page, 'Control+s');
  await expectToast(page, 'Version 1.0.0 created');

  await expect(box.heading).toHaveText('1.0.0');
  await tabTo(page, page.getByRole('link', { name: 'New provider' }));
  await press(page, 'Enter');
  const provider = new RecordForm(page, 'provider');
  await expect(provider.field('Name')).toBeFocused();
  await page.keyboard.type('virtualbox');
  await press(page, 'Tab');
  await expect(provider.field('Architecture')).toBeFocused();
  await tabTo(page, provider.field('Image address'));
  await page.keyboard.type('https://images.example.com/base.box');
  await press(page, 'Control+s');
  await expectToast(page, 'Provider virtualbox created');

  await expect(box.release).toBeVisible();
  await tabTo(page, box.release);
  await press(page, 'Enter');
  await tabTo(page, box.ask.getByRole('button', { name: 'Release version' }));
  await press(page, 'Enter');
  await expectToast(page, `${owner.username}/base 1.0.0 released`);
  expect(await owner.metadata('base')).toMatchObject({ versions: [{ version: '1.0.0', status: 'active' }] });
  await expect(box.ask).toHaveCount(0);

  await press(page, 'u');
  await expect(box.version('1.0.0')).toContainText('Released');
  await press(page, 'u');
  await expect(box.heading).toHaveText(owner.username);
  await press(page, 'u');
  const boxes = new BoxesPage(page);
  await expect(boxes.publish).toBeVisible();
  await press(page, '/');
  await expect(boxes.search).toBeFocused();
  await page.keyboard.type(owner.username);
  await expect(boxes.tags).toHaveText([`${owner.username}/base`]);
  await tabTo(page, boxes.tags.first().getByRole('link'));
  await press(page, 'Enter');
  await expect(box.value('Newest release')).toHaveText('1.0.0');
  await press(page, 'e');
  await expect(form.field('Name')).toBeFocused();

  // From anywhere, with the palette.
  await visit(page, '/local/connections');
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
  await press(page, 'Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(`${owner.username} base`);
  // Among the recent places, and not again among the boxes.
  await expect(palette.getByRole('menuitem').first()).toContainText(
    `/local/boxes/owners/${owner.username}/base`,
  );
  await expect(palette.getByRole('group', { name: 'Boxes' })).toHaveCount(0);
  await press(page, 'Enter');
  await expect(box.value('Newest release')).toHaveText('1.0.0');
});
