import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectFieldError, expectToast, openScreen, question, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

test('host catalogs, sets and hosts are created, edited, also by two users at once, and deleted', async ({
  signedIn: page,
  controller,
  project,
  sources,
  createTarget,
}) => {
  test.slow();
  await test.step('a catalog, a host, a set and its hosts are created, edited and deleted', async () => {
    await page.goto('/local/host-sources');
    await expect(page.getByRole('link', { name: 'New host catalog' })).toBeVisible();
    await expectAccessible(page, 'host catalogs');
    await page.getByRole('link', { name: 'New host catalog' }).click();
    const catalog = new RecordForm(page, 'host catalog');
    await catalog.field('Name').fill('databases');
    await catalog.form.getByRole('combobox', { name: 'Project' }).fill(project.name);
    await page.getByRole('option', { name: project.name }).click();
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await expectAccessible(page, 'new host catalog');
    await catalog.save('Create host catalog').click();
    await expectToast(page, 'Host catalog databases created');
    await expect(page.getByRole('heading', { level: 1, name: 'databases' })).toBeVisible();
    const catalogUrl = new URL(page.url()).pathname;
    await expectAccessible(page, 'empty host catalog');

    await page.getByRole('link', { name: 'New host', exact: true }).click();
    const host = new RecordForm(page, 'host');
    await host.save('Create host').click();
    await expectFieldError(host.form, 'Address', /A host needs an address/);
    await host.field('Address').fill('10.2.0.1');
    await host.field('Name').fill('db-1');
    await host.save('Create host').click();
    await expectToast(page, 'Host db-1 created');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await host.field('Address').fill('10.2.0.2');
    await host.save('Save host').click();
    await expectToast(page, 'Host db-1 saved');
    await expect(page.getByText('10.2.0.2', { exact: true })).toBeVisible();

    await visit(page, catalogUrl);
    await page.getByRole('link', { name: 'New host set' }).click();
    const set = new RecordForm(page, 'host set');
    await set.field('Name').fill('primaries');
    await set.save('Create host set').click();
    await expectToast(page, 'Host set primaries created');
    await page.getByRole('link', { name: 'Change hosts' }).click();
    await set.toggle('Hosts', 'db-1');
    await expectAccessible(page, 'hosts of a set');
    await set.save('Save hosts').click();
    await expectToast(page, 'Hosts of primaries saved');
    await expect(page.getByRole('list', { name: 'Hosts of the set' })).toContainText('db-1');
    await expectAccessible(page, 'host set');
    await page.getByRole('link', { name: 'Change hosts' }).click();
    await set.toggle('Hosts', 'db-1');
    await set.save('Save hosts').click();
    await expect(
      page.getByText('No hosts. Targets that use only this set have nothing to connect to.'),
    ).toBeVisible();

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await set.field('Description').fill('the first ones');
    await set.save('Save host set').click();
    await expectToast(page, 'Host set primaries saved');
    await expect(page).not.toHaveURL(/\/edit$/);
    const id = page.url().split('/').at(-1) ?? '';
    expect(await controller.read('host-sets', id)).toMatchObject({ description: 'the first ones' });

    await visit(page, catalogUrl);
    await page.getByRole('button', { name: 'More actions for databases' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete host catalog databases?' });
    await expect(dialog).toContainText('Deleted with it: 1 host set and 1 host.');
    await dialog.getByRole('button', { name: 'Delete host catalog' }).click();
    await expectToast(page, 'Host catalog databases deleted');
    await expect(page).toHaveURL(/\/host-sources$/);
  });
  const [one, two, three] = [
    await sources.host('one'),
    await sources.host('two'),
    await sources.host('three'),
  ];
  await test.step('deleting a set that targets use names what breaks', async () => {
    const set = await sources.hostSet('primaries', [await sources.host('db-1')]);
    const target = await createTarget({ address: '' });
    await sources.link(target, set);
    await visit(page, await sources.placeOfSet(set));
    await page.getByRole('button', { name: 'More actions for primaries' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete host set primaries?' });
    await expect(dialog).toContainText(`Target ${target.name} is left without a host`);
    await expectAccessible(page, 'deleting a host set');

    // It was changed since, so it isn't deleted unseen.
    await controller.update('host-sets', set.id, set.version, { description: 'changed' });
    await dialog.getByRole('button', { name: 'Delete host set' }).click();
    await expect(dialog).toContainText('Changed since you opened it');
    await expect(dialog.getByRole('table', { name: 'Changed since you opened it' })).toContainText('changed');
    await dialog.getByRole('button', { name: 'Delete it anyway' }).click();
    await expectToast(page, 'Host set primaries deleted');
    expect((await controller.read('targets', target.id)).members).toMatchObject({ host_source_ids: [] });
  });
  await test.step('a set edited by both sides merges its hosts, and its name is decided', async () => {
    const set = await sources.hostSet('replicas', [one]);
    const here = await sources.placeOfSet(set);
    await visit(page, `${here}/hosts`);
    const form = new RecordForm(page, 'host set');
    await form.toggle('Hosts', 'two');
    await controller.act('host-sets', set.id, 'add-hosts', set.version, { host_ids: [three.id] });
    await form.save('Save hosts').click();
    const conflict = new ConflictView(page);
    await expect(conflict.section.getByRole('group', { name: 'Hosts', exact: true })).toContainText('three');
    await form.save('Save hosts').click();
    await expectToast(page, 'Hosts of replicas saved');
    const { members } = await controller.read('host-sets', set.id);
    expect([...(members['host_ids'] ?? [])].toSorted()).toEqual([one.id, two.id, three.id].toSorted());

    await visit(page, `${here}/edit`);
    await form.field('Name').fill('mine');
    const { version } = await controller.read('host-sets', set.id);
    await controller.update('host-sets', set.id, version, { name: 'theirs' });
    await form.save('Save host set').click();
    await conflict.choose('Name', 'Use mine');
    await form.save('Save host set').click();
    await expectToast(page, 'Host set mine saved');
  });
});

test('host sets are retired, and a host and a catalog are edited by two users at once', async ({
  signedIn: page,
  sources,
  controller,
  createTarget,
}) => {
  test.slow();
  const [old, next] = [await sources.hostSet('old-ones'), await sources.hostSet('new-ones')];
  const worn = await sources.hostSet('worn-ones');
  await sources.hostSet('fresh-ones');
  await test.step('retiring adds the replacement before it removes the old set, target by target', async () => {
    const targets = [await createTarget({ address: '' }), await createTarget({ address: '' })];
    for (const { id, version } of targets)
      await controller.act('targets', id, 'add-host-sources', version, { host_source_ids: [old.id] });
    await openScreen(page, await sources.placeOfSet(old));
    await page.getByRole('link', { name: 'Replace', exact: true }).click();
    await page.getByRole('combobox', { name: 'Replacement' }).fill('new');
    await page.getByRole('option', { name: /^new-ones/ }).click();
    await expect(page.getByRole('listbox')).toHaveCount(0);
    await expectAccessible(page, 'retiring a host set');
    await page.getByRole('button', { name: 'Replace in 2 targets' }).click();
    await expect(page.getByText('old-ones replaced')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Targets' }).getByText('Replaced')).toHaveCount(2);
    for (const { id, version } of targets) {
      const target = await controller.read('targets', id);
      expect(target.members).toMatchObject({ host_source_ids: [next.id] });
      expect(target.version).toBe(version + 3);
    }
  });
  await test.step('retiring needs a replacement, and leaves targets alone that got an address', async () => {
    const target = await createTarget({ address: '' });
    const linked = await sources.link(target, worn);
    await visit(page, `${await sources.placeOfSet(worn)}/retire`);
    await page.getByRole('button', { name: 'Replace in 1 target' }).click();
    await expect(page.getByRole('combobox', { name: 'Replacement' })).toHaveAccessibleDescription(
      /Choose the host set to use instead/,
    );
    await page.getByRole('combobox', { name: 'Replacement' }).fill('fresh');
    await page.getByRole('option', { name: /^fresh-ones/ }).click();
    // Someone gives the target an address, so it no longer uses host sources, and is left unchanged.
    const bare = await controller.act('targets', target.id, 'set-host-sources', linked.version, {
      host_source_ids: [],
    });
    await controller.update('targets', target.id, bare.version, { address: '10.0.0.3' });
    await page.getByRole('button', { name: 'Replace in 1 target' }).click();
    await expect(page.getByText('No longer uses it')).toBeVisible();
    expect(await controller.read('targets', target.id)).toMatchObject({
      address: '10.0.0.3',
      members: { host_source_ids: [] },
    });
  });
  await test.step('a host and a catalog are edited by both sides, and deleted by one', async () => {
    const [host, catalog] = [await sources.host('db-1', '10.1.0.1'), await sources.catalog()];
    await visit(page, `/local/host-sources/${catalog.id}/hosts/${host.id}/edit`);
    const form = new RecordForm(page, 'host');
    await form.field('Address').fill('10.1.0.2');
    await controller.update('hosts', host.id, host.version, { attributes: { address: '10.1.0.3' } });
    await form.save('Save host').click();
    const conflict = new ConflictView(page);
    await conflict.choose('Address', 'Keep current');
    await form.field('Name').fill('db-one');
    await form.save('Save host').click();
    await expectToast(page, 'Host db-one saved');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await form.field('Name').fill('again');
    await controller.remove('hosts', host.id);
    await form.save('Save host').click();
    await conflict.deleted.getByRole('button', { name: 'Recreate with my values' }).click();
    await expectToast(page, 'Host again recreated');

    await visit(page, `/local/host-sources/${catalog.id}/edit`);
    const edit = new RecordForm(page, 'host catalog');
    await edit.field('Description').fill('mine');
    await controller.update('host-catalogs', catalog.id, catalog.version, { name: 'theirs' });
    await edit.save('Save host catalog').click();
    await expect(conflict.summary).toContainText("don't overlap");
    await edit.save('Save host catalog').click();
    await expectToast(page, 'Host catalog theirs saved');
    // Deleted from its own page.
    await visit(page, `/local/host-sources/${catalog.id}?tab=hosts`);
    await page.getByRole('link', { name: 'again' }).click();
    await page.getByRole('button', { name: 'More actions for again' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await question(page).getByRole('button', { name: 'Delete host' }).click();
    await expectToast(page, 'Host again deleted');
  });
});
