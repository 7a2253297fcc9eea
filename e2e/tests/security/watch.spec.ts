import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { createCanaries } from '../../fixtures/canaries.ts';
import { watchContext } from '../../fixtures/watch.ts';
import type { Watch } from '../../fixtures/watch.ts';

const token = 'at_0123456789_s1abcdefghijklmnop';

/** Opens a page of our own making, served with the console's strict policy, and answers what was found. */
async function findingsOf(
  page: Page,
  body: string,
  act: (watch: Watch) => Promise<unknown> = async () => undefined,
  known?: string,
): Promise<string> {
  const canaries = createCanaries();
  if (known !== undefined) canaries.add(known);
  const watch = await watchContext(page.context(), canaries);
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') {
      return route.fulfill({
        headers: {
          'content-type': 'text/html',
          'content-security-policy':
            "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'",
        },
        body: `<!doctype html><title>x</title>${body}`,
      });
    }
    if (pathname === '/throws.js') {
      return route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' });
    }
    if (pathname === '/says.js') {
      return route.fulfill({ contentType: 'text/javascript', body: 'console.error("said")' });
    }
    if (pathname === '/api/token') return route.fulfill({ json: { token } });
    return route.fulfill({ status: 404, body: '' });
  });
  await page.goto('http://console.test/');
  await act(watch);
  await watch.finish();
  return watch.findings.join('\n');
}

test('a page in order has no findings', async ({ page }) => {
  expect(await findingsOf(page, '<p>fine</p>')).toBe('');
});

test('an error of a script is found', async ({ page }) => {
  expect(await findingsOf(page, '<script src="/throws.js"></script>')).toContain('page error: Error: broken');
});

test('an error on the console is found, unless the test expects it', async ({ page }) => {
  const findings = await findingsOf(page, '', async (watch) => {
    await page.addScriptTag({ url: '/says.js' });
    await expect.poll(() => watch.findings.join()).toContain('console: said');
    watch.expectError(/^console: said/);
    await page.addScriptTag({ url: '/says.js?again' });
  });
  expect(findings.match(/console: said/g)).toHaveLength(1);
});

test('a violation of the content security policy is found', async ({ page }) => {
  const violation = 'content security policy: script-src-elem refused inline';
  // The page hears of it in an event of its own, after it is loaded.
  const findings = await findingsOf(page, '<script>document.title = "inline"</script>', (watch) =>
    expect.poll(() => watch.findings.join()).toContain(violation),
  );
  expect(findings).toContain(violation);
});

test('a chunk that is gone is found', async ({ page }) => {
  expect(await findingsOf(page, '<script src="/gone.js"></script>')).toContain(
    'not loaded: http://console.test/gone.js 404',
  );
});

test('a refused request to the API is no finding', async ({ page }) => {
  expect(
    await findingsOf(page, '', () => page.evaluate(async () => (await fetch('/api/nothing')).status)),
  ).toBe('');
});

test('a token in an answer is found', async ({ page }) => {
  const findings = await findingsOf(page, '', () =>
    page.evaluate(async () => (await fetch('/api/token')).text()),
  );
  expect(findings).toContain('secret at_0123456789_s1… in the answer of http://console.test/api/token');
});

test('a known secret in a field or in storage is found', async ({ page }) => {
  const inField = await findingsOf(
    page,
    '<input aria-label="x">',
    () => page.getByLabel('x').fill('my own secret'),
    'my own secret',
  );
  expect(inField).toContain('secret my own secret… in the document or storage');
});

test('a known secret in storage is found, encoded too', async ({ page }) => {
  const inStorage = await findingsOf(
    page,
    '',
    () => page.evaluate((text) => sessionStorage.setItem('kept', btoa(text)), token),
    token,
  );
  expect(inStorage).toContain('in the document or storage');
});

test('a known secret in a database or a cache of the browser is found', async ({ page }) => {
  const inDatabase = await findingsOf(page, '', () =>
    page.evaluate(
      (text) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open('kept', 1);
          opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('things'));
          opening.addEventListener('success', () => {
            const writing = opening.result.transaction('things', 'readwrite');
            writing.objectStore('things').put({ text }, 1);
            writing.addEventListener('complete', () => {
              opening.result.close();
              resolve();
            });
          });
        }),
      token,
    ),
  );
  expect(inDatabase).toContain('in the document or storage');
});
