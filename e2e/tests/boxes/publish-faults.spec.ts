import fs from 'node:fs/promises';
import path from 'node:path';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { createImage, downloadDigest, downloadUrl, filesIn, mebibyte } from '../../fixtures/images.ts';
import { expect, faultyTest as test, isDeep, seeded } from '../../fixtures/publish-test.ts';
import { expectAskedAgain } from '../../fixtures/vocabulary.ts';
import { newBoxName, PublishPage, tagOf } from '../../pages/publish-page.ts';

// A console in a process of its own is started once.
test.describe.configure({ mode: 'default', timeout: 120_000 });

/** Bytes that a page sends in one request. */
const chunk = 16 * mebibyte;
/** More than two requests, or a sparse gibibyte. */
const largeBytes = isDeep ? 1024 * mebibyte : 2 * chunk + 3 * mebibyte;

for (const seed of isDeep ? [1, 2, 3] : [1]) {
  test(`an image survives all faults on its way, and clients get the same bytes (seed ${seed})`, async ({
    signedIn: page,
    stack,
    console,
    folder,
  }) => {
    if (isDeep) test.setTimeout(1_200_000);
    const random = seeded(seed);
    const boxes = stack.environments[0]?.boxes;
    const wizard = new PublishPage(page);
    const name = newBoxName();
    const image = await createImage(folder, 'large-qemu.box', largeBytes);
    const at = { registry: boxes?.url ?? '', tag: tagOf(name), version: '1.0.0', provider: 'qemu' };
    await wizard.begin(name);

    // Connections that break between, before and after a request's bytes.
    const cuts = [0, chunk - 1, 1, chunk, ...(isDeep ? Array.from({ length: 20 }, () => random(chunk)) : [])];
    for (const cut of cuts) void console.browsers.meetBody(cut, 'cut');
    let met = console.browsers.meetBody(random(mebibyte), 'hold');
    await wizard.send(image.path);
    await met;

    // Paused with a request in progress, and reloaded.
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText('Paused', { exact: true })).toBeVisible();
    console.browsers.passBodies();
    await page.reload();
    await expect(page.getByText('Not sending from this page', { exact: true })).toBeVisible();
    const other = await createImage(folder, 'other.box', mebibyte);
    await wizard.imageFor('qemu').setInputFiles(other.path);
    await expect(page.getByText('This is a different file')).toBeVisible();

    // The console is killed while it receives. The page continues automatically.
    met = console.browsers.meetBody(random(mebibyte / 2), 'hold');
    await wizard.imageFor('qemu').setInputFiles(image.path);
    await met;
    await console.kill();
    console.browsers.passBodies();
    met = console.registry.meetBody(random(largeBytes), 'hold');
    await console.start();

    // Killed again while it delivers.
    await met;
    await console.kill();
    console.registry.passBodies();
    met = console.registry.meetBody(random(largeBytes), 'hold');
    await console.start();

    // The registry goes down during the delivery.
    await met;
    console.registry.passBodies();
    console.registry.drop();
    await boxes?.stop();
    await expect(page.getByText('Waiting for delivery', { exact: true })).toBeVisible();
    await boxes?.start();

    await expect(wizard.delivered).toBeVisible({ timeout: isDeep ? 600_000 : 60_000 });
    await wizard.release();
    await expect(wizard.released(at.tag)).toBeVisible();
    expect(await downloadDigest(downloadUrl(at))).toBe(image.sha256);
    await expect.poll(() => console.waiting()).toEqual([]);
  });
}

test('an upload that stalls is sent again after the limit of silence', async ({
  signedIn: page,
  console,
  folder,
}) => {
  const wizard = new PublishPage(page);
  await page.clock.install();
  const image = await createImage(folder, 'stalled-libvirt.box', 3 * mebibyte);
  await wizard.begin(newBoxName());
  const met = console.browsers.meetBody(mebibyte, 'hold');
  await wizard.send(image.path);
  await met;
  // Progress that the browser reports late begins the limit again.
  await expect(async () => {
    await page.clock.fastForward('01:31');
    await expect(page.getByText('The connection to the console was lost.')).toBeVisible({ timeout: 1000 });
  }).toPass();
  console.browsers.passBodies();
  await wizard.expectDelivered();
});

test('an upload that got no turn is sent again when the console says, and only the rest of it', async ({
  signedIn: page,
  stack,
  folder,
}) => {
  const wizard = new PublishPage(page);
  await page.clock.install();
  const name = newBoxName();
  const image = await createImage(folder, 'waiting-libvirt.box', chunk + mebibyte);
  await wizard.begin(name);
  const detail = 'This large request waited 30 seconds for its turn. Send it again in a minute.';
  const offsets: number[] = [];
  await page.route('**/api/uploads/*', async (route, request) => {
    if (request.method() !== 'PATCH') return route.continue();
    offsets.push(Number(request.headers()['upload-offset']));
    if (offsets.length !== 2) return route.continue();
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '30' };
    return route.fulfill({ status: 503, headers, body: JSON.stringify({ detail }) });
  });
  await wizard.send(image.path);
  await expect(page.getByText(detail)).toBeVisible();
  await page.clock.fastForward('00:31');
  await wizard.expectDelivered();
  expect(offsets).toEqual([0, chunk, chunk]);
  await wizard.release();
  const boxes = stack.environments[0]?.boxes.url ?? '';
  const at = { registry: boxes, tag: tagOf(name), version: '1.0.0', provider: 'libvirt' };
  await expect(wizard.released(at.tag)).toBeVisible();
  expect(await downloadDigest(downloadUrl(at))).toBe(image.sha256);
});

test('a wrong checksum is refused and nothing kept, a full disk is reported, and then the image continues', async ({
  signedIn: page,
  stack,
  console,
  folder,
}) => {
  const boxes = stack.environments[0]?.boxes.url ?? '';
  const wizard = new PublishPage(page);
  await page.clock.install();
  const name = newBoxName();
  const image = await createImage(folder, 'base-libvirt.box', 3 * mebibyte);
  const at = { registry: boxes, tag: tagOf(name), version: '1.0.0', provider: 'libvirt' };
  const kept = () => filesIn(path.join(stack.dataDir, 'local', 'box-images'));
  const before = await kept();
  await wizard.begin(name);
  await wizard.images.setInputFiles(image.path);
  await expect(page.getByText(image.sha256)).toBeVisible();

  // Between the browser and the console.
  void console.browsers.meetBody(2 * mebibyte, 'flip');
  await wizard.createProviders.click();
  const refusal = page
    .getByText(/sha256 of the sent file is [0-9a-f]{64}, which isn.t the planned checksum/)
    .first();
  await expectAskedAgain(page, () => expect(refusal).toBeVisible({ timeout: 250 }));
  await expect.poll(() => console.waiting()).toEqual([]);
  await expect.poll(kept).toEqual(before);

  // Sent again, while the disk is full.
  let spooled = '';
  await page.route('**/api/uploads/*', async (route, request) => {
    if (request.method() === 'PATCH' && spooled === '') {
      spooled = path.join(console.uploads, `${path.basename(new URL(request.url()).pathname)}.part`);
      await fs.symlink('/dev/full', spooled);
    }
    await route.continue();
  });
  const refused = page.waitForResponse((answer) => answer.status() === 507);
  await page.getByRole('button', { name: 'Send base-libvirt.box' }).click();
  expect(((await (await refused).json()) as { readonly code: string }).code).toBe('storage-full');
  await expect(page.getByText(/^The console's disk is full/)).toBeVisible();
  await expectAccessible(page, 'a full disk');
  await fs.rm(spooled);

  // Between the console and the registry.
  void console.registry.meetBody(mebibyte, 'flip');
  await page.getByRole('button', { name: 'Retry now' }).click();
  await expectAskedAgain(page, () =>
    expect(page.getByText('The delivery failed')).toBeVisible({ timeout: 250 }),
  );
  await expect.poll(kept).toEqual(before);
  await page.getByRole('button', { name: 'Retry delivery' }).click();

  await wizard.expectDelivered();
  await wizard.release();
  await expect(wizard.released(at.tag)).toBeVisible();
  expect(await downloadDigest(downloadUrl(at))).toBe(image.sha256);
  await expect.poll(() => console.waiting()).toEqual([]);
});
