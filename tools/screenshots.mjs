// Takes the screenshots of README and docs from the demo, in light and dark: node tools/screenshots.mjs [name of a screen …]
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inRoot } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

const { chromium } = await import('playwright-core');
const { signIn: signInToController } = await import('../apps/stack/src/access-client.ts');
const { signInToSecrets } = await import('../apps/stack/src/secrets-client.ts');
const { ensureChromium } = await import('./chromium.mjs');
const { startDemo } = await import('./demo.mjs');

/** @typedef {import('playwright-core').Page} Page */

/** @typedef {import('../apps/stack/src/access-client.ts').AccessClient} AccessClient */

/** @typedef {import('../apps/stack/src/secrets-client.ts').SecretsClient} SecretsClient */

/**
 * Another user of production's access controller, and an administrator of its secrets server.
 *
 * @typedef {{ access: AccessClient, keeper: SecretsClient }} Production
 */

/** @type {readonly { name: string, path: string, show?: (page: Page, production: Production) => Promise<void> }[]} */
const screens = [
  { name: 'conflict', path: '/production/targets', show: meetConflict },
  {
    name: 'secret-versions',
    path: '/production/secrets/secret/secret/commerce/checkout/orders-db?tab=versions&from=3&to=4',
    show: compareVersions,
  },
  {
    name: 'cloud-credentials',
    path: '/production/cloud/cloud/roles/deploy?tab=credentials',
    show: (page) => page.getByText('Provider limit').waitFor(),
  },
  { name: 'replication', path: '/production/replication', show: showClusters },
  { name: 'failover', path: '/production/replication/failover', show: showPlan },
  {
    name: 'module-upgrade',
    path: '/production/modules/platform/vpc/aws?compare=1.2.0',
    show: (page) => page.getByText('Your block, rewritten').waitFor(),
  },
  { name: 'bring-boxes', path: '/production/boxes/moves/new', show: nameBoxes },
  {
    name: 'activity',
    path: '/production/activity',
    show: (page) => page.getByRole('row').filter({ hasText: 'Priya Raman' }).first().waitFor(),
  },
];

const password = 'only for screenshots';
const filterOfStaging = 'sys/replication/performance/primary/paths-filter/staging';
const wanted = process.argv.slice(2);
/** @param {string} name */
const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
const folder = inRoot('docs', 'screenshots');
fs.mkdirSync(folder, { recursive: true });

await using demo = await startDemo(password);
const production = {
  access: await signInToController(demo.access, 'priya.raman', password),
  keeper: await signInToSecrets(demo.secrets, 'ines.moreau', password),
};
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  const look = {
    baseURL: demo.origin,
    colorScheme,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 1.5,
  };
  const page = await browser.newPage(look);
  await signIn(page, 'admin');
  for (const { name, path, show } of screens.filter((screen) => isWanted(screen.name))) {
    await page.goto(path);
    await show?.(page, production);
    await take(page, `${name}-${colorScheme}`);
  }
  if (isWanted('publish')) {
    // The tray with a running upload is at the foot of every screen, so it is shown only on its own.
    const publisher = await browser.newPage(look);
    await signIn(publisher, colorScheme === 'light' ? 'oskar.lindqvist' : 'tomasz.wrona');
    await sendImages(publisher, colorScheme === 'light' ? '12.8.0' : '12.8.1');
    await take(publisher, `publish-${colorScheme}`);
    await publisher.close();
  }
  await page.close();
}
await browser.close();

/**
 * Pastes the names of what is to be moved.
 * @param {Page} page
 */
async function nameBoxes(page) {
  const names = [
    'platform',
    'config.vm.box = "bento/ubuntu-24.04"',
    'https://app.vagrantup.com/debian/boxes/bookworm64',
  ];
  await page.getByRole('textbox', { name: 'Owners and boxes' }).fill(names.join('\n'));
  await page.getByText('Recognized: 1 owner and 2 boxes.').waitFor();
}

/**
 * @param {Page} page
 * @param {string} loginName
 */
async function signIn(page, loginName) {
  await page.goto('/sign-in');
  await page.getByRole('radio', { name: 'Production' }).check({ force: true });
  await page.getByLabel('Login name').fill(loginName);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /^Sign in/ }).click();
  await page.waitForURL(/\/production/);
}

/**
 * Edits a target in the browser while someone else changes the same fields, and saves.
 * @param {Page} page
 * @param {Production} production
 */
async function meetConflict(page, { access: production }) {
  await page.getByRole('searchbox').first().fill('ldap-1 eu-west');
  await page.getByRole('link', { name: 'ldap-1 eu-west', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'ldap-1 eu-west' }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.goto(`/production/targets/${id}/edit`);
  await page.getByLabel('Description').fill('Directory, 1 of 2. Restored from the backup of March.');
  const before = await production.read('targets', id);
  const round = before.version;
  await production.update('targets', id, round, {
    description: `Directory; moved to rack ${round + 10}.`,
    session_connection_limit: 10 + round,
  });
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('region', { name: 'Changed since you opened it' }).waitFor();
}

/**
 * Shows the clusters once their link is up, with the filter that the last plan deleted.
 * @param {Page} page
 * @param {Production} production
 */
async function showClusters(page, { keeper }) {
  await keeper.write(filterOfStaging, { mode: 'deny', paths: ['people/'] });
  const clusters = page.getByRole('figure', { name: 'Clusters' });
  await clusters.getByText('Idle').waitFor();
  await clusters.getByText(/heartbeat .* ago · filtered/).waitFor();
  await page.getByRole('list', { name: 'Role changes' }).getByText('primary/enable').waitFor();
}

/**
 * Plans the role change to a secondary with all data, for which its filter is deleted.
 * @param {Page} page
 * @param {Production} production
 */
async function showPlan(page, { keeper }) {
  await keeper.remove(filterOfStaging);
  const connect = page.getByRole('button', { name: /^Connect to the secrets server of Staging/ });
  const next = page.locator('[aria-current=step]').filter({ hasText: 'Demote Production' });
  await connect.or(next).first().waitFor();
  if (await connect.isVisible()) {
    await connect.click();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
  }
  await next.waitFor();
}

/** @param {Page} page */
async function compareVersions(page) {
  await page.getByRole('button', { name: 'Compare the values' }).click();
  await page.getByRole('button', { name: 'Reveal password' }).click();
}

/**
 * Starts to publish a version with two images, and stops the time while they are being sent.
 * @param {Page} page
 * @param {string} version
 */
async function sendImages(page, version) {
  const sent = new Map();
  await page.route('**/api/uploads/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const pieces = (sent.get(pathname) ?? 0) + Number(route.request().method() === 'PATCH');
    sent.set(pathname, pieces);
    if (pieces < 2) await route.continue();
  });
  await page.goto('/production/boxes/publish?box=base%2Fdebian-12');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('textbox', { name: 'Number' }).fill(version);
  await page.getByRole('button', { name: 'Create the version and continue' }).click();
  await page.getByLabel('Images to publish').setInputFiles(
    ['libvirt', 'virtualbox'].map((provider) => ({
      name: `debian-12-${provider}.box`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(20 * 1024 * 1024, provider),
    })),
  );
  await page.getByRole('button', { name: 'Create the providers and continue' }).click();
  await page.getByText('16.8 MB of 21.0 MB').nth(1).waitFor();
}

/**
 * @param {Page} page
 * @param {string} name the file's name without extension
 */
async function take(page, name) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.mouse.move(0, 0);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' });
}
