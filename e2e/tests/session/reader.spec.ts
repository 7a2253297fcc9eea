import { expect, test } from '../../fixtures/test.ts';
import { visit } from '../../fixtures/vocabulary.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('a reader is offered nothing that ends in a refusal, and sees which right to ask for', async ({
  openBrowser,
  project,
  createTarget,
  secrets,
  cloud,
}) => {
  await createTarget();
  const page = await openBrowser('read-only');
  const main = page.getByRole('main');
  const refuses = async (name: string, reason: RegExp): Promise<void> => {
    const button = main.getByRole('button', { name }).first();
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveAccessibleDescription(reason);
  };
  const explains = async (href: string, title: string): Promise<void> => {
    await visit(page, href);
    await expect(main.getByRole('heading', { name: title })).toBeVisible();
    await expect(main.getByRole('textbox')).toHaveCount(0);
  };
  await new TargetsPage(page).open(project.id);
  await refuses('Authorize session by name', /open sessions to any of these targets/);

  await visit(page, '/local/secrets');
  await refuses('New secret', /Ask an administrator of the secrets server/);
  await explains(`/local/secrets/${secrets.mount}/new/`, "You can't create secrets here");
  await explains(`/local/secrets/${secrets.mount}/import/`, "You can't import secrets here");

  await visit(page, '/local/modules');
  await refuses('Import modules…', /read-only/);

  await visit(page, '/local/boxes');
  await refuses('Publish a box', /read-only/);

  await explains(cloud.place(), "You can't see the roles");
  await expect(
    main.getByText('Ask an administrator of the secrets server to let you list roles.'),
  ).toBeVisible();
  await expect(main.getByRole('grid')).toHaveCount(0);
});
