import type { AccessClient, Item } from '@gatehouse/stack/access-client';
import { expectAccessible } from '../../fixtures/accessible.ts';
import type { VaultSources } from '../../fixtures/vault-sources.ts';
import { expect, test } from '../../fixtures/vault-test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';

/** Someone else moves an unchanged store, with their own token. @returns its new address */
async function movedByOthers(vault: VaultSources, controller: AccessClient, store: Item): Promise<string> {
  const address = vault.address.replace('127.0.0.1', 'localhost');
  await controller.update('credential-stores', store.id, 1, {
    attributes: { address, token: await vault.token() },
  });
  return address;
}

test("a store's connection and token are merged with others' changes", async ({
  signedIn: page,
  vault,
  controller,
}) => {
  test.slow();
  await test.step("a token for one address isn't saved with an address that someone else set", async () => {
    const store = await vault.store('secrets', await vault.token());
    await page.goto(`/local/credential-sources/${store.id}/token`);
    await expect(page.getByText(`The token is sent to ${vault.address},`)).toBeVisible();
    const form = new RecordForm(page, 'credential store');
    await form.field('New token').fill('hvs.not-a-token');
    const elsewhere = await movedByOthers(vault, controller, store);
    await form.replaceSecret('Save credential store', 'secrets');
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('Fields that belong together have conflicting changes');
    await expect(conflict.section).toContainText(elsewhere);
    await expect(conflict.section).toContainText(vault.address);
    await expectAccessible(page, 'a connection that both sides changed');
    // The refusal shows the decision, and it can be corrected there.
    await conflict.choose('Connection', 'Use mine');
    await form.replaceSecret('Save credential store', 'secrets');
    await expect(conflict.card('Connection')).toContainText("doesn't accept the token");
    await expectAccessible(page, 'a choice that was refused');
    // Undoing one change undoes the whole connection.
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Undo Address' }).click();
    await expect(page.getByText(`The token is sent to ${elsewhere},`)).toBeVisible();
    await expect(page.getByRole('group', { name: 'Changes' })).toContainText('No changes');
    // Everything that will be saved is visible where it is edited.
    await conflict.choose('Connection', 'Edit');
    const card = conflict.card('Connection');
    await expect(card.getByRole('textbox', { name: /^Address/ })).toHaveValue(elsewhere);
    await card.getByLabel(/^New token/).fill(await vault.token());
    await form.replaceSecret('Save credential store', 'secrets');
    await expectToast(page, 'Credential store secrets saved');
    await page.getByText('Details', { exact: true }).click();
    await expect(page.getByText(elsewhere, { exact: true })).toBeVisible();
  });
  await test.step("a user who takes over others' changes before rotating sees the new address", async () => {
    const store = await vault.store('taken in', await vault.token());
    await page.clock.install();
    await page.goto(`/local/credential-sources/${store.id}/token`);
    await expect(page.getByText(`The token is sent to ${vault.address},`)).toBeVisible();
    const elsewhere = await movedByOthers(vault, controller, store);
    await page.clock.fastForward(16_000);
    await page.getByRole('button', { name: 'Merge the changes' }).click();
    await expect(page.getByText(`The token is sent to ${elsewhere},`)).toBeVisible();
  });
  await test.step('a token that both sides replaced is decided, and neither is shown', async () => {
    const store = await vault.store('replaced', await vault.token());
    await visit(page, `/local/credential-sources/${store.id}/token`);
    const form = new RecordForm(page, 'credential store');
    await form.field('New token').fill(await vault.token());
    await controller.update('credential-stores', store.id, 1, { attributes: { token: await vault.token() } });
    await form.replaceSecret('Save credential store', 'replaced');
    const conflict = new ConflictView(page);
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    await expect(conflict.section).not.toContainText('hvs.');
    await conflict.choose('New token', 'Use mine');
    await form.replaceSecret('Save credential store', 'replaced');
    await expectToast(page, 'Credential store replaced saved');
    await expect(page.getByText('No libraries you can see')).toBeVisible();
    expect((await controller.read('credential-stores', store.id)).version).toBe(3);
  });
});
