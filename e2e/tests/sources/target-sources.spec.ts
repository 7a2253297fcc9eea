import type { Page } from '@playwright/test';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, openScreen, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

const hostSources = 'Host sources';
const brokered = 'Brokered credentials';
const injected = 'Injected application credentials';
const application = 'Application credentials';

async function openSources(page: Page, target: string): Promise<RecordForm> {
  await openScreen(page, `/local/targets/${target}/sources`);
  const form = new RecordForm(page, 'target');
  await form.picker(hostSources).waitFor();
  return form;
}

test('a target has an address or host sets, and credentials of three kinds', async ({
  signedIn: page,
  sources,
  controller,
  createTarget,
}) => {
  test.slow();
  const [one, two, three] = [
    await sources.credential('one'),
    await sources.credential('two'),
    await sources.credential('three'),
  ];
  await controller.create('credentials', {
    credential_store_id: (await sources.store()).id,
    type: 'json',
    name: 'settings',
    attributes: { object: { a: '1' } },
  });
  await test.step('a target changes from an address to host sources and back, with one save each', async () => {
    const set = await sources.hostSet('primaries', [await sources.host('db-1')]);
    const target = await createTarget({ address: '10.0.0.9' });
    const form = await openSources(page, target.id);
    await expect(form.picker(hostSources)).toHaveAccessibleDescription(
      /A target with an address can't have host sources/,
    );
    await expect(form.picker(hostSources).getByRole('checkbox')).toHaveCount(0);
    await expect(form.picker(injected)).toHaveAccessibleDescription(/sessions of a TCP target/);
    await expectAccessible(page, 'sources of a target with an address');

    await form.field('Address').fill('');
    await form.toggle(hostSources, 'primaries');
    await expect(form.picker(hostSources).getByRole('status').filter({ hasText: /^\d/ })).toHaveText(
      /1 host set\s*1 added/,
    );
    await expect(form.field('Address')).toHaveAttribute('readonly', '');
    await expect(form.count).toHaveText('2 changes');
    await form.save('Save sources').click();
    await expectToast(page, `Sources of ${target.name} saved`);
    expect(await controller.read('targets', target.id)).toMatchObject({
      address: '',
      members: { host_source_ids: [set.id] },
    });

    // Names open the source, and from there the target.
    await page.getByRole('link', { name: 'primaries' }).click();
    await expect(page.getByRole('list', { name: 'Hosts of the set' })).toContainText('db-1');
    await page
      .getByRole('list', { name: 'Targets that use it' })
      .getByRole('link', { name: target.name })
      .click();
    await page.getByRole('link', { name: 'Change sources' }).click();
    await form.picker(hostSources).getByRole('button', { name: 'Remove all host sets' }).click();
    await form.field('Address').fill('10.0.0.8');
    await form.save('Save sources').click();
    await expect(page.getByRole('link', { name: 'Change sources' })).toBeVisible();
    expect(await controller.read('targets', target.id)).toMatchObject({
      address: '10.0.0.8',
      members: { host_source_ids: [] },
    });
  });
  await test.step('credentials of the three kinds are added, removed and set', async () => {
    const target = await createTarget({ type: 'ssh' });
    const form = await openSources(page, target.id);

    // A worker can't sign in with JSON, so it is offered for brokering only.
    const offered = (label: string, name: string) => form.picker(label).getByText(name, { exact: true });
    await expect(offered(brokered, 'settings')).toBeVisible();
    await expect(offered(injected, 'three')).toBeVisible();
    await expect(offered(injected, 'settings')).toHaveCount(0);

    // Added: in two kinds at once.
    await form.toggle(brokered, 'one');
    await form.toggle(injected, 'two');
    await form.save('Save sources').click();
    await expectToast(page, `Sources of ${target.name} saved`);
    expect((await controller.read('targets', target.id)).members).toMatchObject({
      brokered_credential_source_ids: [one.id],
      injected_application_credential_source_ids: [two.id],
    });

    // Set: another one replaces the existing one, found by search.
    await page.getByRole('link', { name: 'Change sources' }).click();
    await form.toggle(brokered, 'one');
    await form.picker(brokered).getByRole('searchbox').fill('thr');
    await form.toggle(brokered, 'three');
    await expect(form.picker(brokered).getByRole('status').filter({ hasText: /^\d/ })).toHaveText(
      /1 credential or library\s*1 added\s*1 removed/,
    );
    await form.review.click();
    await expect(form.changes).toContainText('one');
    await expect(form.changes).toContainText('three');
    await form.save('Save sources').click();
    await expect(page.getByRole('link', { name: 'Change sources' })).toBeVisible();
    expect((await controller.read('targets', target.id)).members).toMatchObject({
      brokered_credential_source_ids: [three.id],
      injected_application_credential_source_ids: [two.id],
    });

    // Removed.
    await page.getByRole('link', { name: 'Change sources' }).click();
    await form.toggle(injected, 'two');
    await expect(form.picker(application)).toBeVisible();
    await form.save('Save sources').click();
    await expect(page.getByRole('link', { name: 'Change sources' })).toBeVisible();
    expect((await controller.read('targets', target.id)).members).toMatchObject({
      brokered_credential_source_ids: [three.id],
      injected_application_credential_source_ids: [],
    });
  });
});

test("a target's sources are merged with others' changes, replacements and deletions", async ({
  signedIn: page,
  sources,
  controller,
  createTarget,
}) => {
  test.slow();
  const [kept, mine, theirs] = [
    await sources.hostSet('kept'),
    await sources.hostSet('mine'),
    await sources.hostSet('theirs'),
  ];
  const set = await sources.hostSet('primaries');
  const [old, next] = [await sources.hostSet('old-ones'), await sources.hostSet('new-ones')];
  await test.step('changes of the same set by both sides merge as a checklist, by name', async () => {
    const target = await createTarget({ address: '' });
    await controller.act('targets', target.id, 'set-host-sources', target.version, {
      host_source_ids: [kept.id],
    });
    const form = await openSources(page, target.id);
    await form.toggle(hostSources, 'mine');
    const { version } = await controller.read('targets', target.id);
    await controller.act('targets', target.id, 'add-host-sources', version, { host_source_ids: [theirs.id] });

    await form.save('Save sources').click();
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('This target changed while you were editing');
    await expect(conflict.summary).toBeFocused();
    const checklist = conflict.section.getByRole('group', { name: hostSources });
    await expect(checklist.getByText('added by you')).toBeVisible();
    await expect(checklist.getByText('added elsewhere')).toBeVisible();
    await expect(checklist.getByRole('checkbox', { name: 'theirs' })).toBeChecked();
    await expectAccessible(page, 'sets of sources merged as a checklist');
    await form.save('Save sources').click();
    await expectToast(page, `Sources of ${target.name} saved`);
    const { members } = await controller.read('targets', target.id);
    expect([...(members['host_source_ids'] ?? [])].toSorted()).toEqual(
      [kept.id, mine.id, theirs.id].toSorted(),
    );
  });
  await test.step('an address here and host sources there are one conflict', async () => {
    const target = await createTarget({ address: '' });
    const form = await openSources(page, target.id);
    await form.field('Address').fill('10.0.0.7');
    await sources.link(target, set);
    await form.save('Save sources').click();
    const conflict = new ConflictView(page);
    await conflict.choose('Endpoint', 'Use mine');
    await expect(conflict.progress).toHaveText('All decided. Review the form below, then save.');
    await form.save('Save sources').click();
    await expectToast(page, `Sources of ${target.name} saved`);
    expect(await controller.read('targets', target.id)).toMatchObject({
      address: '10.0.0.7',
      members: { host_source_ids: [] },
    });
  });
  await test.step("replacing a set is one step, and the choice survives the target's deletion", async () => {
    const target = await createTarget({ address: '' });
    await sources.link(target, old);
    const form = await openSources(page, target.id);
    await form.toggle(hostSources, 'old-ones');
    await form.toggle(hostSources, 'new-ones');
    await expect(form.form.getByRole('region', { name: 'As code' })).toContainText(
      'boundary targets set-host-sources',
    );
    await form.save('Save sources').click();
    await expect(page.getByRole('link', { name: 'Change sources' })).toBeVisible();
    expect(await controller.read('targets', target.id)).toMatchObject({
      version: 3,
      members: { host_source_ids: [next.id] },
    });
    // The address belongs to the sources then.
    await visit(page, `/local/targets/${target.id}/edit`);
    await expect(page.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(
      /A target with host sources can't have an address/,
    );

    await visit(page, `/local/targets/${target.id}/sources`);
    await form.toggle(hostSources, 'old-ones');
    await controller.remove('targets', target.id);
    await form.save('Save sources').click();
    const { deleted } = new ConflictView(page);
    await expect(deleted).toContainText('This target was deleted while you were editing');
    await expect(deleted.getByRole('button', { name: 'Recreate with my values' })).toHaveCount(0);
    await deleted.getByRole('button', { name: 'Discard my edit' }).click();
    await expect(page).toHaveURL(new RegExp(`/targets/${target.id}$`));
  });
});
