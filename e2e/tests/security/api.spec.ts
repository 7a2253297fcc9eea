import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { signInToBoxes } from '@gatehouse/stack/boxes-client';
import { serveOtherSite } from '../../fixtures/other-site.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';

/** All operations of the console's API, each with one of its paths. */
const operations = allEndpoints.map(({ method, path }) => ({
  method,
  path: path.replace(':environment', 'local').replace(':service', 'access').replace(/:\w+/g, 'x1'),
}));

test("no operation answers a request without the console's header, or from another site", async ({
  signedIn: page,
  baseURL,
}) => {
  const api = page.context().request;
  const { 'sec-fetch-site': site, ...own } = consoleHeaders;
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const attempts = Object.entries<Record<string, string>>({
    'without the header': { 'sec-fetch-site': site },
    'from another site': { ...own, 'sec-fetch-site': 'cross-site' },
    'from a sister site': { ...own, 'sec-fetch-site': 'same-site' },
    'with another origin': { ...consoleHeaders, origin: 'http://elsewhere.test' },
    'with no word of where it is from': own,
  });
  // Node's own requests and one expectation, because the steps of a thousand would cost more than the requests.
  const answered: unknown[] = [];
  for (const { method, path } of operations) {
    for (const [how, headers] of attempts) {
      const answer = await fetch(new URL(path, baseURL), { method, headers: { ...headers, cookie } });
      const { code } = (await answer.json().catch(() => ({}))) as { readonly code?: unknown };
      const allowed = answer.headers.get('access-control-allow-origin');
      if (answer.status !== 403 || code !== 'origin-refused' || allowed !== null) {
        answered.push({ method, path, how, status: answer.status, code, allowed });
      }
    }
  }
  expect(answered).toEqual([]);
  // All of it leaves the session untouched.
  expect((await api.get('/api/session', { headers: consoleHeaders })).status()).toBe(200);
});

test('no answer of the API may be cached', async ({ signedIn: page }) => {
  const api = page.context().request;
  for (const { path } of operations.filter(({ method }) => method === 'GET')) {
    const answer = await api.get(path, { headers: consoleHeaders });
    expect(answer.headers()['cache-control'], path).toBe('no-store');
    expect(answer.headers()['x-content-type-options'], path).toBe('nosniff');
  }
});

test("a page of another site can't call the API with the user's cookie", async ({
  signedIn: page,
  watch,
  baseURL,
}) => {
  watch.expectError(/^console: .*(?:CORS policy|Failed to load resource)/);
  await using site = await serveOtherSite('<title>elsewhere</title>');
  for (const host of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${site.port}/`);
    const outcome = await page.evaluate(async (origin) => {
      const ask = async (init: RequestInit): Promise<string> => {
        try {
          const answer = await fetch(`${origin}/api/session`, { credentials: 'include', ...init });
          return `${answer.type} ${answer.status} ${await answer.text()}`;
        } catch {
          return 'refused';
        }
      };
      return [
        await ask({}),
        await ask({ mode: 'no-cors' }),
        await ask({ headers: { 'x-gatehouse': 'console' } }),
        await ask({ method: 'DELETE', headers: { 'x-gatehouse': 'console' } }),
      ];
    }, baseURL);
    expect(outcome, host).toEqual(['refused', 'refused', 'refused', 'refused']);
  }
  const still = await page.context().request.get(`${baseURL}/api/session`, { headers: consoleHeaders });
  expect(still.status()).toBe(200);
});

test('a page of another site starts nothing at a service, and locks nobody out', async ({
  page,
  watch,
  stack,
  createPerson,
}) => {
  watch.expectError(/^console: .*Failed to load resource/);
  const [environment] = stack.environments;
  if (environment === undefined) throw new Error('there is no environment');
  const { secrets, boxes } = environment;
  const attempt = `${secrets.url}/v1/sys/generate-root/attempt`;
  const { loginName } = await createPerson();
  await using site = await serveOtherSite('<title>elsewhere</title>');
  for (const host of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${site.port}/`);
    const answered = await page.evaluate(
      async ({ attempt, authenticate, body }) => {
        // A text body is sent without a preflight request.
        const post = (to: string, text: string) => fetch(to, { method: 'POST', mode: 'no-cors', body: text });
        const answers = [await post(attempt, '{}')];
        for (let guess = 0; guess < 12; guess++) answers.push(await post(authenticate, body));
        return answers.length;
      },
      {
        attempt,
        authenticate: `${boxes.url}/api/v1/authenticate`,
        body: JSON.stringify({ token: {}, user: { login: loginName, password: 'wrong' } }),
      },
    );
    expect(answered, host).toBe(13);
  }
  const { started } = (await (await fetch(attempt)).json()) as { started: boolean };
  expect(started).toBe(false);
  await expect(signInToBoxes(boxes.url, loginName, password)).resolves.toBeDefined();
});
