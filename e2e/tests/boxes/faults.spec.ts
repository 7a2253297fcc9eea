import { connectThroughApi } from '../../fixtures/sign-in.ts';
import { loginNames, password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, press } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { BoxesPage } from '../../pages/boxes-page.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { Shell } from '../../pages/shell.ts';

test('an unavailable registry is reported, an edit survives it, and the page recovers', async ({
  stack,
  signedIn: page,
  owner,
  createPerson,
  openBrowser,
}) => {
  const [environment] = stack.environments;
  await owner.released('base');
  await page.goto(`${owner.place('base')}/edit`);
  const form = new RecordForm(page, 'box');
  await form.field('Short description').fill('of mine');
  const other = await openBrowser();
  await environment?.boxes.stop();
  await form.save('Save box').click();
  await expect(form.bar.getByRole('alert')).toContainText('Box registry unreachable');
  await expect(form.field('Short description')).toHaveValue('of mine');
  await expect(form.count).toHaveText('1 change');
  const boxes = new BoxesPage(other);
  await boxes.open(`?q=${owner.username}`);
  const failure = other.getByRole('main').getByRole('alert');
  await expect(failure).toContainText('Box registry unreachable');
  await expect(failure).toContainText(/Request \w+/);
  await expect(new Shell(other).service('Box registry')).toHaveAccessibleName('Box registry: Unreachable');

  await environment?.boxes.start();
  await form.save('Save box').click();
  await expectToast(page, `Box ${owner.username}/base saved`);
  expect(await owner.read('base')).toMatchObject({ short_description: 'of mine' });
  // The page may have recovered already.
  await press(other, 'r');
  await expect(boxes.tags).toHaveText([`${owner.username}/base`]);

  const person = await createPerson('read-only');
  await stack.accounts.update(person.id, 1, { roles: { boxes: null } });
  const stranger = await openBrowser(person);
  await new BoxesPage(stranger).open();
  await expect(stranger.getByRole('region', { name: 'No access' })).toBeVisible();
});

test('a rate limit is waited out, and a lost answer is neither a failure nor a second change', async ({
  remote: { page, boxes: registry },
  owner,
}) => {
  await owner.box('base');
  await owner.version('base', '1.0.0');
  await owner.provider('base', '1.0.0', 'virtualbox');
  await connectThroughApi(page.context().request, 'boxes', {
    method: 'password',
    login_name: loginNames.administrator,
    password,
  });
  await page.goto(owner.place('base', '1.0.0'));
  const box = new BoxPage(page);
  await box.release.click();
  let releases = 0;
  registry.onRequest = (bytes) => {
    if (!bytes.includes('/release ')) return;
    releases += 1;
    registry.cutNext = 0;
  };
  await box.confirm('Release version');
  await expectToast(page, `${owner.username}/base 1.0.0 released`);
  await expect(box.value('State')).toHaveText('Released');
  expect(await owner.read('base', '1.0.0')).toMatchObject({ status: 'active' });
  expect(releases).toBe(1);

  registry.fault = {
    kind: 'answer',
    text: 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  };
  registry.drop();
  const boxes = new BoxesPage(page);
  await boxes.open(`?q=${owner.username}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('alert')).toContainText('Too many requests');
  await expect(main.getByText(/^Retrying in [12] s/)).toBeVisible();
  // It is retried automatically.
  registry.fault = { kind: 'none' };
  await expect(boxes.tags).toHaveText([`${owner.username}/base`]);
});
