import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../../fixtures/accessible.ts';
import { loginNames } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';

const mebibyte = 1024 * 1024;
const isDeep = process.env['GATEHOUSE_DEEP'] === '1';
/** Bytes of the large image: more than two chunks, or a sparse gibibyte. */
const largeBytes = isDeep ? 1024 * mebibyte : 34 * mebibyte;

/** A file whose ends are its own; what is between them takes no space. */
async function createImage(folder: string, name: string, bytes: number): Promise<string> {
  const file = path.join(folder, name);
  const handle = await fs.open(file, 'w');
  await handle.write(randomUUID(), 0);
  await handle.truncate(bytes);
  await handle.write('end', bytes - 3);
  await handle.close();
  return file;
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** What clients fetch of a provider. */
async function downloadDigest(
  registry: string,
  tag: string,
  version: string,
  provider: string,
): Promise<string> {
  const [owner = '', name = ''] = tag.split('/');
  const answer = await fetch(
    `${registry}/${owner}/boxes/${name}/versions/${version}/providers/${provider}.box`,
  );
  if (answer.body === null || !answer.ok) throw new Error(`the download was answered ${answer.status}`);
  return digestOf(answer.body);
}

/** From the box to the providers, of which the first has an image. */
async function beginRun(page: Page, name: string): Promise<void> {
  await page.goto('/local/boxes/publish');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Short description' }).fill('Made by a test');
  await page.getByRole('button', { name: 'Create the box and go on' }).click();
  await page.getByRole('button', { name: '1.0.0' }).click();
  await page.getByRole('button', { name: 'Create the version and go on' }).click();
  await expect(page.getByRole('heading', { name: 'For which providers?' })).toBeVisible();
}

let folder: string;
test.beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gatehouse-publish-'));
});
test.afterEach(async () => {
  await fs.rm(folder, { recursive: true, force: true });
});

test('a box with a file and an address is published, and clients get the same bytes', async ({
  signedIn: page,
  stack,
}) => {
  const name = `box-${randomUUID().slice(0, 8)}`;
  const tag = `${loginNames.administrator}/${name}`;
  const file = await createImage(folder, 'base-libvirt.box', 3 * mebibyte);
  await beginRun(page, name);
  await page.getByLabel('Images to publish').setInputFiles(file);
  await page.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('button', { name: 'virtualbox', exact: true }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/base.box');
  const digest = await digestOf(createReadStream(file));
  await expect(page.getByText(digest)).toBeVisible();
  await expectAccessible(page, 'the providers');
  await page.getByRole('button', { name: 'Create the providers and go on' }).click();
  await expect(page.getByText('Delivered and verified', { exact: true })).toBeVisible();
  await expectAccessible(page, 'the images');
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('region', { name: `Versions of ${tag}` })).toBeVisible();
  await expectAccessible(page, 'the review');
  await page.getByRole('button', { name: 'Release 1.0.0' }).click();
  await expect(page.getByText(`${tag} 1.0.0 is released`)).toBeVisible();
  await expectAccessible(page, 'the summary');
  const registry = stack.environments[0]?.boxes.url ?? '';
  expect(await downloadDigest(registry, tag, '1.0.0', 'libvirt')).toBe(digest);
});

test('what is there already is offered, and a run is gone on with from the start', async ({
  signedIn: page,
}) => {
  const name = `box-${randomUUID().slice(0, 8)}`;
  await beginRun(page, name);
  await page.goto('/local/boxes/publish');
  await expect(
    page.getByRole('link', { name: `Go on with ${loginNames.administrator}/${name} 1.0.0` }),
  ).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create the box and go on' }).click();
  await expect(page.getByText(`The box ${loginNames.administrator}/${name} is there already`)).toBeVisible();
  await expectAccessible(page, 'the offer');
  await page.getByRole('button', { name: 'Use it as it is' }).click();
  await page.getByRole('textbox', { name: 'Number' }).fill('v1');
  await page.getByRole('button', { name: 'Create the version and go on' }).click();
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Number' }).fill('1.0.0');
  await page.getByRole('textbox', { name: 'What is new' }).fill('Something else');
  await page.getByRole('button', { name: 'Create the version and go on' }).click();
  await page.getByRole('button', { name: 'Use it as it is' }).click();
  await expect(page.getByRole('heading', { name: 'For which providers?' })).toBeVisible();
  await page.getByRole('button', { name: 'Abandon' }).click();
  await page.getByRole('button', { name: 'Abandon the run' }).click();
  await expect(page.getByText('This run was abandoned')).toBeVisible();
});

test('an upload that is paused, reloaded and met by an outage ends with the same bytes', async ({
  signedIn: page,
  stack,
  watch,
}) => {
  if (isDeep) test.setTimeout(600_000);
  // What fails on the way is meant to.
  void watch;
  const name = `box-${randomUUID().slice(0, 8)}`;
  const tag = `${loginNames.administrator}/${name}`;
  const file = await createImage(folder, 'large-qemu.box', largeBytes);
  const digest = await digestOf(createReadStream(file));
  // The second chunk waits until the test has paused.
  let chunks = 0;
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++chunks === 2) return;
    await route.continue();
  });
  await beginRun(page, name);
  await page.getByLabel('Images to publish').setInputFiles(file);
  await page.getByRole('button', { name: 'Create the providers and go on' }).click();
  await expect.poll(() => chunks).toBe(2);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await page.unroute('**/api/uploads/*');
  await page.reload();
  await expect(page.getByText('Not being sent by this page', { exact: true })).toBeVisible();
  const registry = stack.environments[0]?.boxes;
  await registry?.stop();
  const other = await createImage(folder, 'other.box', mebibyte);
  await page.getByLabel('Image for qemu').setInputFiles(other);
  await expect(page.getByText('This is another file')).toBeVisible();
  await page.getByLabel('Image for qemu').setInputFiles(file);
  await expect(page.getByText(/Waiting for delivery|Delivering$|Failed/).first()).toBeVisible({
    timeout: 60_000,
  });
  await registry?.start();
  const done = page.getByText('Delivered and verified', { exact: true });
  const again = page.getByRole('button', { name: /Deliver (again|now)/ });
  await expect(done.or(again).first()).toBeVisible({ timeout: 90_000 });
  if (await again.isVisible()) await again.click();
  await expect(done).toBeVisible({ timeout: 90_000 });
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await page.getByRole('button', { name: 'Release 1.0.0' }).click();
  await expect(page.getByText(`${tag} 1.0.0 is released`)).toBeVisible();
  expect(await downloadDigest(registry?.url ?? '', tag, '1.0.0', 'qemu')).toBe(digest);
});
