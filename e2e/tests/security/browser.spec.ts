import { chromium } from '@playwright/test';
import { serveOtherSite } from '../../fixtures/other-site.ts';
import { signInThroughApi } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { Shell } from '../../pages/shell.ts';
import { SignInPage } from '../../pages/sign-in-page.ts';
import { TargetForm } from '../../pages/target-form.ts';
import { TargetPage } from '../../pages/target-page.ts';
import { TargetsPage } from '../../pages/targets-page.ts';

test('the session cookie is out of reach of scripts and other sites, and new at each sign-in', async ({
  page,
  baseURL,
  createPerson,
}) => {
  const name = `gatehouse-${new URL(baseURL ?? '').port}`;
  const planted = 'A'.repeat(43);
  // A planted value never becomes a signed-in session.
  await page.context().addCookies([{ name, value: planted, url: baseURL ?? '', httpOnly: true }]);
  const person = await createPerson();
  await page.goto('/');
  await new SignInPage(page).signIn(person.loginName, password);
  await expect(page).toHaveURL(/\/local$/);
  const cookies = await page.context().cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({
    name,
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    domain: '127.0.0.1',
    // The cookie ends with the browser.
    expires: -1,
  });
  expect(cookies[0]?.value).not.toBe(planted);
  expect(cookies[0]?.value).toMatch(/^[\w-]{22,}$/);
  expect(await page.evaluate(() => document.cookie)).toBe('');

  await new Shell(page).signOut();
  await expect(new SignInPage(page).heading).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
});

test("an injected script doesn't run", async ({ signedIn: page, watch }) => {
  watch.expectError(/content security policy: (?:script-src|require-trusted-types-for)/);
  watch.expectError(/^console: .*(?:Content Security Policy|TrustedHTML|TrustedScript)/);
  await page.goto('/local');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  const refused = await page.evaluate(async () => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      violations.push(effectiveDirective);
    });
    const attempt = (act: () => unknown): string => {
      try {
        act();
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown';
      }
    };
    // The debugger's own code may evaluate text; code of a timer belongs to the page.
    const tries = await new Promise<readonly string[]>((resolve) => {
      setTimeout(() => {
        const script = document.createElement('script');
        script.append('document.title = "owned"');
        resolve([
          attempt(() => document.body.append(script)),
          attempt(() => document.body.insertAdjacentHTML('beforeend', '<img src="/x" onerror="owned()">')),
          attempt(() => Reflect.set(document.body, 'innerHTML', '<p>gone</p>')),
          attempt(() => {
            document.body.setAttribute('onclick', 'document.title = "owned"');
            document.body.click();
          }),
          attempt(() => Reflect.construct(Function, ['document.title = "owned"'])()),
        ]);
      });
    });
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    return { tries, violations, title: document.title };
  });
  expect(refused.title).not.toBe('owned');
  expect(refused.violations.length).toBeGreaterThan(0);
  expect(refused.tries.slice(1, 3)).toEqual(['TypeError', 'TypeError']);
  expect(refused.tries[4]).toBe('EvalError');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
});

test("a script in the document itself doesn't run either", async ({ page, watch, baseURL }) => {
  watch.expectError(/content security policy: script-src/);
  watch.expectError(/^console: .*Content Security Policy/);
  const refused: string[] = [];
  page.on('console', (message) => refused.push(message.text()));
  await page.route(`${baseURL}/sign-in`, async (route) => {
    const response = await route.fetch();
    const injected = '<script>document.title = "owned"</script><img src="/gate.svg" onload="owned = true">';
    const body = (await response.text()).replace('<body', `${injected}<body`);
    expect(body).toContain(injected);
    await route.fulfill({ response, body });
  });
  await page.goto('/sign-in');
  await expect(new SignInPage(page).heading).toBeVisible();
  await expect.poll(() => refused.filter((text) => text.includes('inline')).length).toBe(2);
  expect(await page.evaluate(() => Reflect.has(globalThis, 'owned'))).toBe(false);
  await expect(page).toHaveTitle(/^Sign in/);
});

test('stored values are shown as text, whatever they look like', async ({
  signedIn: page,
  project,
  createTarget,
}) => {
  const hostile = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>';
  const created = await createTarget({ name: hostile, description: `javascript:alert(1) ${hostile}` });
  const targets = new TargetsPage(page);
  await targets.open(project.id);
  await expect(targets.names).toHaveText([hostile]);
  await targets.link(hostile).click();
  const target = new TargetPage(page);
  await expect(target.heading).toHaveText(hostile);
  await target.edit.click();
  const form = new TargetForm(page);
  await form.description.fill(`${hostile}!`);
  await form.review.click();
  await form.save.click();
  await expect(new Shell(page).notifications).toContainText(`Target ${hostile} saved`);
  await page.goto(`/local/targets/${created.id}`);
  await expect(target.value('Description')).toHaveText(`${hostile}!`);
  await expect(page).toHaveTitle(/^<img src=x/);
  expect(await page.locator('img').count()).toBe(0);
});

test("another site can't show the console in a frame", async ({ signedIn: page, watch, baseURL }) => {
  watch.expectError(/^console: .*(?:frame-ancestors|X-Frame-Options|refused to connect)/);
  watch.expectError(/^not loaded: /);
  await using site = await serveOtherSite(`<iframe src="${baseURL}/sign-in"></iframe>`);
  await page.goto(`http://localhost:${site.port}/`);
  const frame = page.frames()[1];
  await expect.poll(() => frame?.url()).toBe('chrome-error://chromewebdata/');
});

test('Back shows nothing after signing out, even in a browser that keeps pages', async ({
  baseURL,
  createTarget,
  createPerson,
}, testInfo) => {
  const { executablePath, args } = testInfo.project.use.launchOptions ?? {};
  const person = await createPerson();
  const created = await createTarget({ description: 'only for those who are signed in' });
  // Playwright disables the page cache, from which a user's browser would show them.
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    ...(args !== undefined && { args }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  try {
    const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
    await signInThroughApi(context.request, person.loginName, password);
    const page = await context.newPage();
    const target = new TargetPage(page);
    await target.open(created.id);
    await expect(target.value('Description')).toHaveText('only for those who are signed in');
    await new Shell(page).screen('Connections').click();
    await expect(page.getByRole('heading', { name: 'Connections' })).toBeVisible();
    await new Shell(page).signOut();
    const { heading } = new SignInPage(page);
    await expect(heading).toBeVisible();
    for (const left of ['/local/connections', `/local/targets/${created.id}`]) {
      await page.evaluate(() => window.history.back());
      // Going back to the page opens the sign-in now.
      await expect(page).toHaveURL(({ searchParams }) => searchParams.get('return') === left);
      await expect(heading).toBeVisible();
      await expect(page.getByText('only for those who are signed in')).toHaveCount(0);
      await expect(page.getByText(person.fullName)).toHaveCount(0);
    }
  } finally {
    await browser.close();
  }
});
