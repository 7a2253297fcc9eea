import { expect, test } from '../../fixtures/test.ts';
import { expectToast, question, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { SecretForm } from '../../pages/secret-form.ts';
import { SecretPage } from '../../pages/secret-page.ts';

test('secrets written by two users at once are merged or decided', async ({
  signedIn: page,
  openBrowser,
  secrets,
}) => {
  test.slow();
  await test.step("two operators' edits of two fields, one as JSON, are merged", async () => {
    await secrets.write('db', { user: 'app', password: 'one', host: 'a' });
    const mine = new SecretForm(page, secrets);
    await mine.open('db');
    await mine.change('password', 'mine');
    const other = await openBrowser('operator');
    const theirs = new SecretForm(other, secrets);
    await theirs.open('db');
    await theirs.editAs('JSON');
    await expect(theirs.json).toContainText('"host": "a"');
    await theirs.writeJson('{"user": "app", "password": "one", "host": "b", "port": 5432}');
    await theirs.saveVersion.click();
    await expectToast(other, `Version 2 of ${secrets.name('db')} saved`);

    await mine.saveVersion.click();
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('This secret changed while you were editing');
    await expect(conflict.summary).toBeFocused();
    await expect(conflict.summary).toContainText("don't overlap");
    await expect(mine.entry('port')).toContainText(/Changed (?:by|elsewhere)/);
    // Its values were never read, so whether it differs is unknown.
    await expect(mine.entry('host')).toContainText('Not compared: stored value kept');
    // It is never saved automatically.
    expect((await secrets.metadata('db')).current_version).toBe(2);
    await mine.save('Save as version 3').click();
    await expectToast(page, `Version 3 of ${secrets.name('db')} saved`);
    expect(await secrets.read('db')).toEqual({ user: 'app', password: 'mine', host: 'b', port: 5432 });
  });
  await test.step('edits of the same field stay masked until revealed, are decided, and asked again after a third edit', async () => {
    await secrets.write('same', { user: 'app', password: 'one', old: 'gone soon' });
    const form = new SecretForm(page, secrets);
    await form.open('same');
    await form.change('password', 'of mine');
    await form.change('user', 'my user');
    await form.remove('old');
    await secrets.write('same', { user: 'their user', password: 'of theirs', old: 'kept' });
    const refused = page.waitForResponse((response) => response.status() === 409);
    const revealed = page.waitForRequest(
      (request) => request.url().endsWith('/reveal') && request.postDataJSON().version === 2,
    );
    await form.saveVersion.click();
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('3 fields have conflicting changes');
    for (const field of ['password', 'user', 'old']) {
      for (const choice of ['Keep current', 'Use mine', 'Edit'] as const) {
        await expect(conflict.option(field, choice)).not.toBeChecked();
      }
    }
    await expect(conflict.section).not.toContainText('of theirs');
    // The refusal contains no value. Of the other version, the fields that were edited are revealed, which is recorded.
    expect(await (await refused).text()).not.toMatch(/their|of mine|kept/);
    expect((await revealed).postDataJSON()).toEqual({ version: 2, fields: ['user', 'password', 'old'] });
    const card = conflict.card('password');
    await card.getByRole('button', { name: 'Reveal the values' }).click();
    await expect(card.getByRole('definition')).toHaveText(['of theirs', 'of mine', 'one']);
    await expect(conflict.section).not.toContainText('their user');

    await form.saveVersion.click();
    await expect(conflict.decision('password')).toHaveAccessibleDescription(/Decide this before you save/);
    await conflict.choose('password', 'Use mine');
    await conflict.choose('old', 'Use mine');
    await conflict.choose('user', 'Edit');
    await conflict.section.getByRole('textbox', { name: 'Value of user' }).fill('of both');
    await expect(conflict.progress).toHaveText('All decided. Review the form below, then save.');
    await secrets.write('same', { user: 'their user', password: 'a third', old: 'kept' });
    await form.saveVersion.click();
    await expect(conflict.summary).toContainText('It changed again (2 times during this edit).');
    await expect(conflict.summary).toContainText('2 of your decisions still apply');
    await expect(conflict.option('password', 'Use mine')).not.toBeChecked();
    await conflict.choose('password', 'Keep current');
    await form.save('Save as version 4').click();
    await expectToast(page, `Version 4 of ${secrets.name('same')} saved`);
    expect(await secrets.read('same')).toEqual({ user: 'of both', password: 'a third' });
  });
  await test.step('the same field edited as JSON: the decision is in the text, whose formatting is kept if possible', async () => {
    await secrets.write('text', { a: 1, b: { deep: [1, 2] }, c: 'x' });
    const form = new SecretForm(page, secrets);
    await form.open('text');
    await form.editAs('JSON');
    await form.writeJson('{\n  "a": 2,\n  "b": {"deep": [1, 2]},\n  "c": "line 1\\nline 2"\n}');
    await secrets.write('text', { a: 3, b: { deep: [1] }, c: 'x' });
    await form.saveVersion.click();
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    await conflict.choose('a', 'Use mine');
    // The text contains the other user's values too, which are shown on request.
    await expect(form.json).toHaveCount(0);
    await form.showJson.click();
    await expect(form.json).toContainText('"a": 2');
    await form.writeJson('{"a": 2, ');
    await form.saveVersion.click();
    await expect(form.form.getByRole('alert').first()).toBeVisible();
    await expect(form.json).toBeFocused();
    expect((await secrets.metadata('text')).current_version).toBe(2);
    await form.writeJson('{"a": 2, "b": {"deep": [1]}, "c": "line 1\\nline 2"}');
    await form.saveVersion.click();
    await expectToast(page, `Version 3 of ${secrets.name('text')} saved`);
    expect(await secrets.read('text')).toEqual({ a: 2, b: { deep: [1] }, c: 'line 1\nline 2' });
  });
});

test('versions written, created or deleted by others are reported, and nothing is overwritten unseen', async ({
  signedIn: page,
  secrets,
}) => {
  test.slow();
  await test.step('an edit of a deleted secret is kept, and is written as a new version', async () => {
    await secrets.write('soft', { password: 'one' });
    await secrets.write('hard', { password: 'one' });
    const form = new SecretForm(page, secrets);
    const conflict = new ConflictView(page);
    await form.open('soft');
    await form.change('password', 'mine');
    await secrets.take('delete', 'soft', [1]);
    await form.saveVersion.click();
    await expect(conflict.deleted).toContainText('This secret was deleted while you were editing');
    await expect(conflict.deleted).toBeFocused();
    expect(await conflict.deleted.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, `${secrets.name('soft')} recreated`);
    expect(await secrets.read('soft', 2)).toEqual({ password: 'mine' });

    await form.open('hard');
    await form.change('password', 'mine too');
    await secrets.remove('hard');
    await form.saveVersion.click();
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, `${secrets.name('hard')} recreated`);
    expect(await secrets.read('hard', 1)).toEqual({ password: 'mine too' });
  });
  await test.step("a created secret isn't overwritten before it is reported", async () => {
    const form = new SecretForm(page, secrets);
    await form.openNew('app');
    await form.path.fill('db');
    await form.add('password', 'mine');
    await secrets.write('app/db', { password: 'theirs', user: 'app' });
    await form.saveVersion.click();
    await expect(page.getByText('This secret was created while you were editing')).toBeVisible();
    const compared = page.getByRole('table', { name: 'Existing and yours' });
    await expect(compared).toContainText('user');
    await expect(compared).not.toContainText('theirs');
    expect((await secrets.metadata('app/db')).current_version).toBe(1);
    await page.getByRole('button', { name: 'Replace it with mine' }).click();
    // Its later changes are conflicts like any other.
    await secrets.write('app/db', { password: 'of theirs again', more: 'x' });
    await form.saveVersion.click();
    await new ConflictView(page).choose('password', 'Use mine');
    await form.saveVersion.click();
    await expectToast(page, `${secrets.name('app/db')} saved`);
    expect(await secrets.read('app/db', 3)).toEqual({ password: 'mine', more: 'x' });

    await form.openNew('app');
    await form.path.fill('other');
    await form.add('password', 'mine');
    await secrets.write('app/other', { password: 'theirs' });
    await form.saveVersion.click();
    await page.getByRole('button', { name: 'Keep the existing one' }).click();
    await expect(new SecretPage(page, secrets).field('password')).toBeVisible();
    // Nothing that nobody asked to see was read.
    const trail = new URLSearchParams({ action: 'secret.reveal', resource_id: secrets.name('app/other') });
    const { items } = await page.evaluate(async (query): Promise<{ items: unknown[] }> => {
      const environment = location.pathname.split('/')[1] ?? '';
      const answer = await fetch(`/api/environments/${environment}/activity?${query}`, {
        headers: { 'x-gatehouse': 'console' },
      });
      return answer.json();
    }, trail.toString());
    expect(items).toEqual([]);
  });
  await test.step('a new version is reported before another one is restored or deleted', async () => {
    for (const password of ['one', 'two']) await secrets.write('versions', { password });
    const secret = new SecretPage(page, secrets);
    await secret.open('versions', '?tab=versions');
    await expect(secret.version(2)).toContainText('Current');
    await secrets.write('versions', { password: 'three' });
    await secret.choose('Delete the newest version');
    const ask = question(page);
    await expect(ask).toContainText('Version 3 has been written since');
    expect(await secrets.read('versions')).toEqual({ password: 'three' });
    await ask.getByRole('button', { name: 'Delete version 3' }).click();
    await expectToast(page, 'Deleted version 3 of versions');
  });
  await test.step('metadata and engine settings are merged too', async () => {
    await secrets.write('db', { password: 'one' });
    await secrets.setMetadata('db', { custom_metadata: { owner: 'ines', team: 'a' } });
    await visit(page, secrets.place('metadata', 'db'));
    const form = new RecordForm(page, 'metadata of the secret');
    const conflict = new ConflictView(page);
    await form.form.getByLabel('Value of owner').fill('mine');
    await secrets.setMetadata('db', { max_versions: 7, custom_metadata: { owner: 'theirs', team: 'b' } });
    await form.save('Save metadata').click();
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    await expect(form.field('Versions to keep')).toHaveValue('7');
    await conflict.choose('owner', 'Use mine');
    await form.save('Save metadata').click();
    await expectToast(page, 'Metadata of db saved');
    expect(await secrets.metadata('db')).toMatchObject({
      max_versions: 7,
      custom_metadata: { owner: 'mine', team: 'b' },
    });

    await visit(page, secrets.settings);
    const engine = new RecordForm(page, 'engine');
    await engine.field('Versions to keep').fill('4');
    await secrets.configure({ max_versions: 5, cas_required: true });
    const ask = page.getByRole('alertdialog', { name: `Keep fewer versions in ${secrets.mount}?` });
    const saveKnowingly = async () => {
      await engine.save('Save settings').click();
      await ask.getByRole('textbox').fill(secrets.mount);
      await page.keyboard.press('Enter');
    };
    await saveKnowingly();
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    expect(await secrets.config()).toMatchObject({ max_versions: 5 });
    await conflict.choose('Versions to keep', 'Use mine');
    await saveKnowingly();
    await expectToast(page, `Settings of ${secrets.mount} saved`);
    expect(await secrets.config()).toMatchObject({ max_versions: 4, cas_required: true });
  });
});

test("a secret recreated during confirmation isn't deleted permanently, even if the page noticed it", async ({
  signedIn: page,
  secrets,
}) => {
  await secrets.write('replaced', { password: 'one' });
  const secret = new SecretPage(page, secrets);
  await page.clock.install();
  await secret.open('replaced');
  await secret.choose('Delete permanently');
  const ask = question(page);
  await expect(ask).toContainText('1 version that can be read now is lost permanently');
  await secrets.remove('replaced');
  await secrets.write('replaced', { password: 'of theirs' });
  await page.clock.fastForward(16_000);
  const heard = ['secrets', 'metadata'].map((kind) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith(`/${kind}/replaced`)),
  );
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  for (const answer of await Promise.all(heard)) await answer.finished();
  await ask.getByRole('textbox').fill(secrets.name('replaced'));
  await ask.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(ask).toContainText('This secret has been changed since');
  expect(await secrets.read('replaced')).toEqual({ password: 'of theirs' });
});
