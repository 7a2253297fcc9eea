import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { expect, test } from '../../fixtures/test.ts';
import { openScreen, visit } from '../../fixtures/vocabulary.ts';
import { BoxPage } from '../../pages/box-page.ts';
import { PublishPage } from '../../pages/publish-page.ts';
import { RecordForm } from '../../pages/record-form.ts';

/** What a publisher of boxes could try on readers. */
const hostile = [
  '# Fine & <b>bold</b>',
  '<script>globalThis.pwned = 1</script>',
  '<img src=x onerror="globalThis.pwned = 2"> <svg onload="globalThis.pwned = 3"></svg>',
  '<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe><form action="/api/session"><input name=a></form>',
  '[press me](javascript:globalThis.pwned=5) [or me](data:text/html;base64,PHNjcmlwdD4=) [or me](/local/targets)',
  '![pixel](https://tracker.example.com/pixel.png) <style>body { display: none }</style>',
  '[kind](https://docs.example.com/base) <https://docs.example.com/other>',
  '| a | b |\n|---|---|\n| `<i>code</i>` | <u>2</u> |',
  '<a href="https://docs.example.com" style="position:fixed;inset:0" onclick="globalThis.pwned = 6">all</a>',
].join('\n\n');

test('a description that takes a minute to render is shown as text after one second, and the others as usual', async ({
  signedIn: page,
  owner,
}) => {
  // Each line is added to a copy of the previous ones, once for each list around it.
  const slow = `${'- '.repeat(20)}${'a\n'.repeat(30_000)}`;
  await owner.box('slow', { description: slow });
  for (const [version, description] of [
    ['1.0.0', '**first**'],
    ['1.1.0', slow],
    ['1.2.0', '**last**'],
  ] as const)
    await owner.version('slow', version, { description });
  await page.goto(owner.place('slow'));
  await expect(new BoxPage(page).text.locator('pre')).toHaveText(slow.trim());
  await visit(page, `${owner.place('slow')}?tab=versions`);
  const changes = page.getByRole('list', { name: 'Changelog' });
  await expect(changes.locator('strong')).toHaveText(['last', 'first']);
  await expect(changes.locator('pre')).toHaveText(slow.trim());
});

test("publishers' texts are shown as text, and downloads equal their uploads", async ({
  signedIn: page,
  owner,
  watch,
  createPerson,
  openBrowser,
}) => {
  test.slow();
  await test.step('a hostile description is shown as text, and nothing of it runs or is fetched', async () => {
    await owner.box('base', { short_description: '<img src=x onerror=alert(1)>', description: hostile });
    await owner.version('base', '1.0.0', { description: hostile });
    await owner.provider('base', '1.0.0', 'virtualbox');
    await owner.move('release', 'base', '1.0.0');
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (URL.parse(request.url())?.hostname.endsWith('example.com') === true) elsewhere.push(request.url());
    });
    const places = [owner.place('base'), owner.place('base', '1.0.0')];
    for (const place of places) {
      await openScreen(page, place);
      const text = page.getByRole('main');
      await expect(text.getByRole('heading', { name: 'Fine & bold' })).toBeVisible();
      await expect(text.getByRole('cell', { name: '<i>code</i>' })).toBeVisible();
      await expect(text.getByRole('link', { name: 'kind' })).toHaveAttribute('rel', /noopener noreferrer/);
      await expect(text.getByRole('link', { name: 'Image: pixel' })).toBeVisible();
      await expect(text.getByText('press me')).toBeVisible();
      await expect(
        text.locator('script, iframe, form, style, img, svg[onload], [onerror], [onclick]'),
      ).toHaveCount(0);
      const links = await text
        .getByRole('link')
        .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
      expect(links.filter((href) => href === null || /^(?:javascript|data):/i.test(href))).toEqual([]);
      expect(links).not.toContain('/local/targets');
      expect(await page.evaluate(() => Reflect.get(globalThis, 'pwned'))).toBeUndefined();
    }
    await visit(page, `/local/boxes?q=${owner.username}`);
    await expect(page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' })).toBeVisible();
    await visit(page, `${owner.place('base')}/edit`);
    await expect(new RecordForm(page, 'box').field('Description')).toHaveValue(hostile);
    expect(elsewhere).toEqual([]);
    // Attempts refused by the policy are found too: there are none.
    expect(watch.findings).toEqual([]);
  });
  await test.step('an image downloaded through the console equals the uploaded one, and its address contains no token', async () => {
    const bytes = new Uint8Array(randomBytes(300_000));
    await owner.box('kept', { is_private: true });
    await owner.version('kept', '1.0.0');
    await owner.image('kept', '1.0.0', 'libvirt', bytes);
    await visit(page, owner.place('kept', '1.0.0'));
    const box = new BoxPage(page);
    const digest = createHash('sha256').update(bytes).digest('hex');
    await expect(box.provider('libvirt')).toContainText(digest);
    await expect(box.provider('libvirt')).toContainText('0 downloads');
    const coming = page.waitForEvent('download');
    await box.chooseOf('libvirt', 'Download the image');
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`${owner.username}-kept-1.0.0-libvirt.box`);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(await download.path())) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(digest);
    const url = new URL(download.url());
    expect(url.origin).toBe(new URL(page.url()).origin);
    expect(url.search).toBe('');
    // The test's watch searches answers for tokens; this searches the requests.
    expect(url.href).not.toContain('atlasv1');
    const { providers } = (await owner.read('kept', '1.0.0')) ?? {};
    expect(providers).toMatchObject([{ name: 'libvirt', downloads: 1 }]);
    // The box on the page has no downloads yet.
    await page.goto(owner.place('kept'));
    await expect(page.getByRole('img', { name: /^Downloads by day: 1 in 30 days/ })).toBeVisible();
    await visit(page, owner.place('kept', '1.0.0'));

    // The address belongs to one session. Nobody else can follow it, whatever their rights.
    const other = await openBrowser(await createPerson());
    const answer = await other.request.get(download.url());
    expect(answer.status()).toBe(404);
  });
  await test.step('another image is uploaded for the version and provider where it was started', async () => {
    const wizard = new PublishPage(page);
    await new BoxPage(page).chooseOf('libvirt', 'Upload an image');
    await expect(page.getByText('The image for libvirt in version 1.0.0 of this box.')).toBeVisible();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(wizard.number).toHaveValue('1.0.0');
    await wizard.createVersion.click();
    await wizard.providersTitle.waitFor();
    await expect(wizard.name).toHaveValue('libvirt');
  });
});
