import fs from 'node:fs/promises';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { expect, test, type TestFixtures, type WorkerFixtures } from '../../fixtures/test.ts';
import { expectNoRow, expectRowVisible, expectToast, question } from '../../fixtures/vocabulary.ts';
import { ActivityPage } from '../../pages/activity-page.ts';
import { TargetForm } from '../../pages/target-form.ts';

test('changes are listed by paths, filtered, verified and exported', async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'told' });
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('a description that is not in the trail');
  await form.save.click();
  await expectToast(page, 'Target told saved');

  const activity = new ActivityPage(page);
  await activity.open();
  await expectRowVisible(activity.grid, {
    Action: 'Target: update',
    Record: target.id,
    Outcome: 'Succeeded',
    Fields: 'description',
    Person: 'admin',
  });
  await expectAccessible(page, 'list of activity');
  await page.getByRole('button', { name: 'Filters' }).click();
  const find = page.getByRole('searchbox');
  await find.fill(`told updated description ${target.id}`);
  await expect(page).toHaveURL(/q=told/);
  await expect(activity.rows).toHaveCount(1);
  await page.getByText('Yesterday', { exact: true }).click();
  await expect(page.getByText('No activity matches.')).toBeVisible();
  await page.getByText('Today', { exact: true }).click();
  await expect(activity.rows).toHaveCount(1);
  await expectAccessible(page, 'more filters');
  await page.reload();
  await expect(activity.rows).toHaveCount(1);
  await activity.rows.getByRole('link').click();
  await expect(activity.panel).toContainText('target.update');
  const values = activity.panel.getByRole('table', { name: 'Values of changed fields' });
  await expect(values.getByRole('row', { name: 'description' })).toContainText(
    'a description that is not in the trail',
  );
  await expectAccessible(page, 'one entry');
  await page.keyboard.press('Escape');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const lines = (await fs.readFile(await (await saved).path(), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('not in the trail');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    action: 'target.update',
    outcome: 'succeeded',
    paths: ['description'],
    resource: { kind: 'target', id: target.id },
  });
  // The removal is recorded too.
  await find.fill('');
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expectRowVisible(activity.grid, {
    Action: 'Activity: export',
    Record: '1 entry',
    Fields: new RegExp(`q=told updated description ${target.id}`),
  });
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/^The trail is intact: [\d,]+ rows checked$/)).toBeVisible();
  await expectAccessible(page, 'verified');
});

test('a histogram limits the list to a range of time, by mouse and keyboard', async ({
  signedIn: page,
  createTarget,
}) => {
  const { id } = await createTarget({ name: 'counted' });
  const form = new TargetForm(page);
  await form.open(id);
  await form.description.fill('a new description');
  await form.save.click();
  await expectToast(page, 'Target counted saved');
  const activity = new ActivityPage(page);
  const hour = 3_600_000;
  const now = Math.floor(Date.now() / hour) * hour;
  const [from, to] = [now - 2 * hour, now + 2 * hour].map((time) => new Date(time).toISOString());
  await activity.open(`?q=${id}&from=${from}&to=${to}`);
  const chart = page.getByRole('slider', { name: 'Activity over time' });
  await expect(chart).toHaveAttribute('aria-valuetext', /^1 entry, /);
  await expectAccessible(page, 'histogram');

  // The first of 48 ranges of five minutes.
  await chart.focus();
  await page.keyboard.press('Home');
  await expect(chart).toHaveAttribute('aria-valuetext', /^0 entries, /);
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No activity matches.')).toBeVisible();
  await expect(page).toHaveURL(
    new RegExp(`to=${encodeURIComponent(new Date(now - 110 * 60_000).toISOString())}`),
  );

  await page.goBack();
  await expect(activity.rows).toHaveCount(1);
  const box = await chart.boundingBox();
  if (box === null) throw new Error('The histogram is not shown.');
  await page.mouse.move(box.x + box.width - 1, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 10, box.y + 5, { steps: 3 });
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`to=${encodeURIComponent(to ?? '')}`));
  await expect(page).not.toHaveURL(new RegExp(`from=${encodeURIComponent(from ?? '')}`));
  await expect(activity.rows).toHaveCount(1);
});

test('the entries of a job are one row that opens', async ({ signedIn: page }) => {
  const runs = '/api/environments/local/publish-runs';
  const send = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers: consoleHeaders, data });
    expect(answer.status()).toBe(200);
    return (await answer.json()) as { id: string };
  };
  const { id } = await send(runs, { box: null, version: null, providers: [] });
  await send(`${runs}/${id}/abandon`, {});

  const activity = new ActivityPage(page);
  await activity.open(`?q=${id}`);
  await expect(activity.rows).toHaveCount(1);
  await expect(activity.rows).toContainText('Publish run: abandon');
  await page.getByRole('button', { name: 'and 1 more' }).focus();
  await page.keyboard.press('Enter');
  await expect(activity.rows).toHaveCount(2);
  await expect(activity.rows.last()).toContainText('Publish run: create');
  await expectAccessible(page, 'an open job');
  await page.getByRole('button', { name: 'hide 1' }).click();
  await expect(activity.rows).toHaveCount(1);
});

test("a record's page shows who last changed it, and its newest entries", async ({
  signedIn: page,
  createTarget,
}) => {
  const target = await createTarget({ name: 'storied' });
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('a new description');
  await form.save.click();
  await expectToast(page, 'Target storied saved');
  // The toast is there before the target's page, whose key it is.
  await expect(page.getByRole('button', { name: 'History' })).toBeVisible();
  await page.keyboard.press('h');
  const history = page.getByRole('dialog', { name: 'History of storied' });
  await expect(history).toContainText('Last changed through the console by First administrator, ');
  await expect(history.getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page, 'history of a record');
  await history.getByRole('link', { name: 'All activity on this record' }).click();
  await expect(page).toHaveURL(new RegExp(`/activity\\?resource=${target.id}$`));
  await expect(new ActivityPage(page).rows).toHaveCount(1);
});

/** Changes a target through the page, and loses the answer. @returns the target's ID */
async function loseUpdate({
  remote: { page, proxy },
  createTarget,
  controller,
}: Pick<TestFixtures & WorkerFixtures, 'remote' | 'createTarget' | 'controller'>): Promise<string> {
  const target = await createTarget();
  const form = new TargetForm(page);
  await form.open(target.id);
  await form.description.fill('done, but not told');
  proxy.losesFrom = 'PATCH ';
  await form.save.click();
  await expect(form.problem).toContainText('Outcome unknown');
  expect(await controller.read('targets', target.id)).toMatchObject({ version: 2 });
  proxy.fault = { kind: 'none' };
  proxy.drop();
  await form.bar.getByRole('button', { name: /^(?:Discard|Cancel)$/ }).click();
  await question(page)
    .getByRole('button', { name: /^Discard/ })
    .click();
  return target.id;
}

test('a change with an unknown outcome stays on top until one key settles it', async ({
  remote,
  createTarget,
  controller,
}) => {
  const { page } = remote;
  const id = await loseUpdate({ remote, createTarget, controller });
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(page.getByText('One change with an unknown outcome')).toBeVisible();
  await expectAccessible(page, 'unknown outcomes');
  await page.keyboard.press('s');
  await expect(page.getByText(/it succeeded\.$/)).toBeVisible();
  await expect(page.getByText('One change with an unknown outcome')).toHaveCount(0);
  await expectRowVisible(activity.grid, { Action: 'Target: update', Record: id, Outcome: 'Succeeded' });
});

test('if reading again cannot tell the outcome, the user says it', async ({
  remote,
  createTarget,
  controller,
}) => {
  const { page } = remote;
  const id = await loseUpdate({ remote, createTarget, controller });
  for (const version of [2, 3])
    await controller.update('targets', id, version, { description: `${version}` });
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(page.getByText('One change with an unknown outcome')).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('still unknown after reading the service again')).toBeVisible();
  await expectAccessible(page, 'outcome still unknown');
  await page.getByRole('button', { name: 'It was done' }).click();
  await expect(page.getByText('One change with an unknown outcome')).toHaveCount(0);
  await activity.rows.filter({ hasText: id }).getByRole('link').click();
  await expect(activity.panel).toContainText('Outcome said by');
});

test('other users see only their own activity, including denials, and may not verify', async ({
  openBrowser,
  createPerson,
  createTarget,
}) => {
  const target = await createTarget();
  const person = await createPerson('read-only');
  const page = await openBrowser(person);
  const refused = await page.context().request.patch(`/api/environments/local/access/targets/${target.id}`, {
    headers: { ...consoleHeaders, 'if-match': '"1"' },
    data: { description: 'x' },
  });
  expect(refused.status()).toBe(403);
  const activity = new ActivityPage(page);
  await activity.open();
  await expect(page.getByText("Your own activity. Administrators see everyone's.")).toBeVisible();
  await expectRowVisible(activity.grid, { Action: 'Target: update', Outcome: 'Not allowed' });
  await expectNoRow(activity.grid, { Person: 'admin' });
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(
    page.getByText('Only an administrator of the environment can verify the whole trail.'),
  ).toBeVisible();
});
