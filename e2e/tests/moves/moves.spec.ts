import fs from 'node:fs/promises';
import { expectAccessible, expectFits } from '../../fixtures/accessible.ts';
import { expect, test } from '../../fixtures/moves-test.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { clickRowAction, expectAskedAgain, expectFieldError } from '../../fixtures/vocabulary.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { MovePage } from '../../pages/move-page.ts';

const image = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text.repeat(1000));

test('boxes are moved: planned, chosen, copied, paused, retried, reported and compared', async ({
  signedIn: page,
  old,
}) => {
  test.slow();
  const owner = await old.createOwner();
  const token = await old.createToken();
  for (const version of ['1.0.0', '2.0.0']) {
    if (version === '1.0.0') await owner.box('base');
    await owner.version('base', version);
    await owner.image('base', version, 'libvirt', image(`base ${version}`));
  }
  await owner.provider('base', '2.0.0', 'virtualbox', { url: `${old.elsewhere.url}/base.box` });
  await owner.box('tools', { is_private: true });
  await owner.version('tools', '1.0.0');
  await owner.image('tools', '1.0.0', 'libvirt', image('tools'));
  for (const [box, version] of [
    ['base', '1.0.0'],
    ['base', '2.0.0'],
    ['tools', '1.0.0'],
  ] as const)
    await owner.move('release', box, version);
  old.elsewhere.answer('hold');
  const move = new MovePage(page);
  await page.clock.install();
  const boxes = new BoxesPage(page);

  await test.step('names are entered', async () => {
    await boxes.open();
    await boxes.choose('Import boxes…');
    await expect(move.address).toHaveValue('https://vagrantcloud.com');
    await move.plan.click();
    await expectFieldError(page, 'Owners and boxes', /Enter at least one/);
    await move.address.fill('boxes.example.com');
    await move.names.fill(
      `${owner.username}/base\nVagrant.configure("2") do |config|\n${owner.url}/${owner.username}/boxes/tools`,
    );
    await expect(
      page.getByText("Recognized: 2 boxes. 1 line doesn't contain an owner or a box."),
    ).toBeVisible();
    await expectAccessible(page, 'a new move');
    await move.plan.click();
    await expectFieldError(page, 'Registry address', /Enter an address such as/);
    await move.address.fill(owner.url);
    await move.token.fill(token);
    await move.plan.click();
    await move.becomes('Ready to copy');
  });

  await test.step('the choice changes the numbers', async () => {
    await expect(move.number('Boxes chosen')).toHaveText('2 of 2');
    await page.getByRole('radio', { name: 'Copy them here' }).click();
    await expect(move.number('Images to copy')).toHaveText('4');
    await page.getByRole('radio', { name: 'Newest' }).click();
    await page.getByRole('textbox', { name: 'Newest versions of each of the boxes' }).fill('1');
    await move.button('Apply').click();
    await expect(move.number('Images to copy')).toHaveText('3');
    await page.getByRole('radio', { name: 'All', exact: true }).click();
    await expect(move.number('Images to copy')).toHaveText('4');
    await page.getByRole('checkbox', { name: 'virtualbox' }).uncheck();
    await expect(move.number('Images to copy')).toHaveText('3');
    await page.getByRole('checkbox', { name: 'virtualbox' }).check();
    await expect(move.number('Images to copy')).toHaveText('4');
    await clickRowAction(page, `${owner.username}/tools`, 'Exclude');
    await expect(move.number('Boxes chosen')).toHaveText('1 of 2');
    await move.button('Copy all boxes').click();
    await expect(
      page.getByText(/^Copy 4 images of 2 boxes, .* to the box registry of Local as admin\.$/),
    ).toBeVisible();
    await expectAccessible(page, 'a plan');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page, 'a plan');
    await page.setViewportSize({ width: 1440, height: 900 });
    await move.grid.getByRole('link', { name: `${owner.username}/base` }).click();
    await expect(move.panel.getByRole('grid')).toContainText('2.0.0');
    await expectAccessible(page, 'a box of a plan');
    await page.keyboard.press('Escape');
  });

  await test.step('copying continues on other pages, and is paused and resumed where it stopped', async () => {
    await move.start.click();
    await move.give(token, 'Start copying');
    await expect(move.state).toHaveText('Copying');
    await expect(page.getByRole('progressbar', { name: 'Images' })).toHaveAttribute(
      'aria-valuetext',
      '3 of 4',
    );
    await expectAccessible(page, 'copying');
    const place = page.url();
    await page.goto('/local/targets');
    const tray = page.getByRole('region', { name: 'Tasks' });
    await expect(tray).toContainText('copying');
    await tray.getByRole('button', { name: 'Show moves' }).click();
    await expectAccessible(page, 'a move among the tasks');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Pause/ })
      .click();
    await expect(page.getByRole('dialog')).toContainText('Paused');
    await page.getByRole('dialog').getByRole('link', { name: /^Open/ }).click();
    await page.waitForURL(place);
    await expect(move.state).toHaveText('Paused');
    await expectAccessible(page, 'a paused move');
    await move.button('Resume').click();
    await move.give(token, 'Resume');
    await expect(move.state).toHaveText('Copying');
  });

  await test.step('failures show the reason, and are retried', async () => {
    old.elsewhere.answer('nothing');
    await move.becomes('Done, 1 failed');
    await move.grid.getByRole('link', { name: `${owner.username}/base` }).click();
    await expect(move.panel.getByText('1 image failed')).toBeVisible();
    await expectAccessible(page, 'what failed');
    old.elsewhere.answer('image');
    await move.panel.getByRole('button', { name: 'Retry failed copies' }).click();
    await move.give(token, 'Retry');
    await move.becomes('Done');
  });

  await test.step('the report names every image, and clients are redirected here', async () => {
    const csv = page.waitForEvent('download');
    await move.button('Download report as CSV').click();
    const lines = (await fs.readFile(await (await csv).path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.includes(',copied,'))).toHaveLength(4);
    const json = page.waitForEvent('download');
    await move.button('Download report as JSON').click();
    expect(JSON.parse(await fs.readFile(await (await json).path(), 'utf8'))).toHaveLength(4);
    await expect(page.getByRole('group', { name: 'Shell' })).toContainText(
      'export VAGRANT_SERVER_URL=http://127.0.0.1:',
    );
    await expectAccessible(page, 'a move that is done');
  });

  await test.step('both registries are compared again, and missing images are copied', async () => {
    await owner.version('base', '3.0.0');
    await owner.image('base', '3.0.0', 'libvirt', image('base 3'));
    await owner.move('release', 'base', '3.0.0');
    await move.button('Compare again').click();
    await move.give(token, 'Compare');
    await move.becomes('Ready to copy');
    await expect(page.getByText(/^Copy 1 image of 1 box,/)).toBeVisible();
    await move.button("Copy what's missing").click();
    await move.give(token, 'Start copying');
    await move.becomes('Done');
    await page.goto(`/local/boxes/owners/${owner.username}/base`);
    await expect(page.getByText('3.0.0').first()).toBeVisible();
  });
});

test("someone else's move is theirs until it is resumed with other tokens, and can be abandoned", async ({
  signedIn: page,
  old,
  createPerson,
  openBrowser,
}) => {
  const owner = await old.createOwner();
  await owner.released('base');
  const move = new MovePage(page);
  await page.clock.install();
  await page.goto('/local/boxes/moves/new');
  await move.address.fill(owner.url);
  await move.names.fill(owner.username);
  await move.plan.click();
  await move.becomes('Ready to copy');
  old.elsewhere.answer('hold');
  await owner.version('base', '2.0.0');
  await owner.provider('base', '2.0.0', 'libvirt', { url: `${old.elsewhere.url}/2.box` });
  await owner.move('release', 'base', '2.0.0');
  await page.getByRole('radio', { name: 'Copy them here' }).click();
  await expect(move.number('Images to copy')).toHaveText('1');
  await move.button('Compare again').click();
  await expectAskedAgain(page, () => expect(page.getByText(/^Copy 2 images/)).toBeVisible({ timeout: 250 }));
  await move.start.click();
  await expect(move.state).toHaveText('Copying');

  const other = await openBrowser(await createPerson('administrator'));
  const theirs = new MovePage(other);
  await other.goto(page.url());
  await expect(other.getByText(/^This move belongs to /)).toBeVisible();
  await expect(theirs.grid).toHaveCount(0);
  await expectAccessible(other, 'the move of someone else');
  await move.button('Pause').click();
  await expect(move.state).toHaveText('Paused');
  await other.reload();
  await expect(other.getByText(/They paused it/)).toBeVisible();
  await expect(theirs.button('Resume as your own')).toHaveCount(0);
  await expectAccessible(other, 'the move of someone else that is paused');
  await move.button('Resume').click();
  await expect(move.state).toHaveText('Copying');
  // Its owner signs out and stops their work. Then others may continue it.
  await page.goto('about:blank');
  const left = await page
    .context()
    .request.delete('/api/session?stop_deliveries=true', { headers: consoleHeaders });
  expect(left.ok()).toBe(true);
  await other.reload();
  await theirs.button('Resume as your own').click();
  await expect(other.getByText(/^It belongs to /)).toBeVisible();
  await theirs.give('', 'Resume');
  await expect(theirs.grid).toBeVisible();
  await theirs.button('Abandon').click();
  const ask = other.getByRole('alertdialog', { name: 'Abandon this move?' });
  await expectAccessible(other, 'the question before a move is abandoned');
  await ask.getByRole('button', { name: 'Abandon the move' }).click();
  await expect(theirs.state).toHaveText('Abandoned');
  old.elsewhere.answer('image');
  await other.goto('/local/boxes/moves');
  await expect(other.getByRole('grid', { name: 'Moves of boxes' })).toContainText('Abandoned');
  await expectAccessible(other, 'the list of moves');
});

test("two windows' choices of one plan are merged if separate, and decided otherwise", async ({
  signedIn: page,
  old,
  context,
}) => {
  const owner = await old.createOwner();
  await owner.released('base', ['1.0.0', '2.0.0']);
  const move = new MovePage(page);
  await page.clock.install();
  await page.goto('/local/boxes/moves/new');
  await move.address.fill(owner.url);
  await move.names.fill(owner.username);
  await move.plan.click();
  await move.becomes('Ready to copy');
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByRole('radio', { name: 'Copy them here' })).toBeVisible();
  await page.getByRole('radio', { name: 'Copy them here' }).click();
  await expect(move.number('Images to copy')).toHaveText('2');
  await second.getByRole('radio', { name: 'Private' }).click();
  await expect(second.getByRole('radio', { name: 'Copy them here' })).toBeChecked();
  await expect(second.getByRole('radio', { name: 'Private' })).toBeChecked();
  await page.getByRole('radio', { name: 'Keep the original addresses' }).click();
  await expect(page.getByRole('radio', { name: 'Private' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'virtualbox' }).uncheck();
  // A choice that is being saved disables it too, because the plan's numbers follow from the saved choice.
  await expect(page.getByRole('status').filter({ hasText: /^Nothing is missing/ })).toBeVisible();
  await expect(move.start).toBeDisabled();
  await second.getByRole('radio', { name: 'Since a version' }).click();
  await second.getByRole('textbox', { name: 'Oldest version to copy' }).fill('2.0.0');
  await second.getByRole('button', { name: 'Apply' }).click();
  await expect(second.getByRole('checkbox', { name: 'virtualbox' })).not.toBeChecked();

  // The first window still shows all versions.
  await page.getByRole('radio', { name: 'Newest' }).click();
  await move.button('Apply').click();
  const view = new ConflictView(page);
  await expect(view.title).toHaveText('1 field has conflicting changes');
  await expect(view.summary).toContainText('It was changed by you in another window');
  await expectAccessible(page, 'a choice that was changed meanwhile');
  await move.button('Save choices').click();
  await view.choose('Versions', 'Use mine');
  await move.button('Save choices').click();
  await expect(page.getByRole('radio', { name: 'Newest' })).toBeChecked();
  await second.reload();
  await expect(second.getByRole('textbox', { name: 'Newest versions of each of the boxes' })).toHaveValue(
    '3',
  );
});

test('modules are moved', async ({ signedIn: page, old }) => {
  const namespace = await old.publishModule(['1.0.0', '1.1.0']);
  const move = new MovePage(page, 'Namespaces and modules');
  await page.clock.install();
  await page.goto('/local/modules');
  await page.getByRole('link', { name: 'Import modules…' }).click();
  await move.address.fill(old.modules);
  await move.names.fill(`source = "${namespace}/network/aws"\n${namespace}/netwrk/aws\n${namespace}x`);
  await expectAccessible(page, 'a new move of modules');
  await move.plan.click();
  await move.becomes('Ready to copy');
  await expect(page.getByText(/^Copy 2 archives of 1 module/)).toBeVisible();
  await expect(page.getByText(/: 1 name not found, 1 module couldn't be read/)).toBeVisible();
  await expect(move.number('Modules chosen')).toHaveText('1 of 2');
  await page.getByRole('link', { name: 'Show failed modules' }).click();
  await expect(move.grid).toContainText(`${namespace}/netwrk/aws`);
  await expect(move.grid).not.toContainText(`${namespace}/network/aws`);
  await expectAccessible(page, 'a plan with names that were not found');
  await move.start.press('Enter');
  await move.becomes('Done, 1 not read');
  await expect(move.state).toBeFocused();
  await expect(page.getByRole('group', { name: 'Terraform' })).toContainText(`/${namespace}/NAME/PROVIDER`);
  await expect(page.getByRole('group', { name: 'Host' })).toContainText('"modules.v1" = "http://127.0.0.1:');
  await expectAccessible(page, 'modules that were brought here');
  await page.goto(`/local/modules/${namespace}/network/aws`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('network');
});
