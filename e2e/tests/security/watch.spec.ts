import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { createCanaries } from '../../fixtures/canaries.ts';
import { watchContext } from '../../fixtures/watch.ts';
import type { Watch } from '../../fixtures/watch.ts';

const token = 'at_0123456789_s1abcdefghijklmnop';

/** Opens a test page with the console's strict policy, and returns the findings. */
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

test('a correct page has no findings', async ({ page }) => {
  expect(await findingsOf(page, '<p>fine</p>')).toBe('');
});

test("finds a script's error", async ({ page }) => {
  expect(await findingsOf(page, '<script src="/throws.js"></script>')).toContain('page error: Error: broken');
});

test('finds an error on the console, unless the test expects it', async ({ page }) => {
  const findings = await findingsOf(page, '', async (watch) => {
    await page.addScriptTag({ url: '/says.js' });
    await expect.poll(() => watch.findings.join()).toContain('console: said');
    watch.expectError(/^console: said/);
    await page.addScriptTag({ url: '/says.js?again' });
  });
  expect(findings.match(/console: said/g)).toHaveLength(1);
});

test('finds a violation of the content security policy', async ({ page }) => {
  const violation = 'content security policy: script-src-elem refused inline';
  // The page reports it in a separate event, after it has loaded.
  const findings = await findingsOf(page, '<script>document.title = "inline"</script>', (watch) =>
    expect.poll(() => watch.findings.join()).toContain(violation),
  );
  expect(findings).toContain(violation);
});

test('finds a missing chunk', async ({ page }) => {
  expect(await findingsOf(page, '<script src="/gone.js"></script>')).toContain(
    'not loaded: http://console.test/gone.js 404',
  );
});

test('accepts a refused request to the API', async ({ page }) => {
  expect(
    await findingsOf(page, '', () => page.evaluate(async () => (await fetch('/api/nothing')).status)),
  ).toBe('');
});

test('finds a token in an answer', async ({ page }) => {
  const findings = await findingsOf(page, '', () =>
    page.evaluate(async () => (await fetch('/api/token')).text()),
  );
  expect(findings).toContain('secret at_0123456789_s1… in the answer of http://console.test/api/token');
});

test('finds a known secret in a field or in storage', async ({ page }) => {
  const inField = await findingsOf(
    page,
    '<input aria-label="x">',
    () => page.getByLabel('x').fill('my own secret'),
    'my own secret',
  );
  expect(inField).toContain('secret my own secret… in the document or storage');
});

test('finds a known secret in storage, also encoded', async ({ page }) => {
  const inStorage = await findingsOf(
    page,
    '',
    () => page.evaluate((text) => sessionStorage.setItem('kept', btoa(text)), token),
    token,
  );
  expect(inStorage).toContain('in the document or storage');
});

test('finds a known secret in a database or cache of the browser', async ({ page }) => {
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
