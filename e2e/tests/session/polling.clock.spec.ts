import { ModuleNamespace } from '../../fixtures/module-namespace.ts';
import { consoleHeaders } from '../../fixtures/sign-in.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { signInAgain } from '../../pages/session-dialogs.ts';

/** More than half of the time without activity after which a session ends. */
const stepMs = 8 * 60_000;
/** Each screen has polled at least once after this. */
const pollMs = 31_000;

test("polling of an open screen doesn't keep the session alive", async ({
  stack,
  signedIn: page,
  createTarget,
  secrets,
  owner,
}) => {
  test.slow();
  const target = await createTarget();
  await secrets.write('db', { user: 'one' });
  await owner.released('base');
  const modules = await ModuleNamespace.open(stack);
  await modules.publish('network/aws', '1.0.0');
  const api = '/api/environments/local';
  /** Starts what a screen then watches. @returns its ID */
  const begin = async (of: string, data: object): Promise<string> => {
    const answer = await page.request.post(`${api}/${of}`, { headers: consoleHeaders, data });
    return ((await answer.json()) as { readonly id: string }).id;
  };
  const run = await begin('publish-runs', { box: null, version: null, providers: [] });
  const wanted = ['nobody'];
  const move = await begin('moves', { kind: 'boxes', address: 'https://boxes.invalid', token: '', wanted });
  const secret = `/local/secrets/${secrets.mount}`;
  /** Each with a heading or tab that it shows after loading, and its polled requests. */
  const screens = [
    ['/local', 'Overview', /\/access\/sessions\?/],
    [`/local/targets/${target.id}`, target.name, new RegExp(`/targets/${target.id}$`)],
    [`/local/targets/${target.id}/edit`, `Edit ${target.name}`, new RegExp(`/targets/${target.id}$`)],
    ['/local/sessions', 'Sessions', /\/access\/sessions\?/],
    [`${secret}/secret/db`, 'db', /\/secrets\/db$/],
    [`${secret}/secret/db?tab=versions`, 'db', /\/metadata\/db$/],
    [`${secret}/edit/db`, 'Edit db', /\/secrets\/db$/],
    [owner.place('base'), 'base', new RegExp(`/${owner.username}/boxes/base$`)],
    [`/local/boxes/organizations/${owner.username}`, owner.username, new RegExp(`/${owner.username}$`)],
    [`/local/modules/${modules.name}/network/aws`, 'network', /\/network\/aws$/],
    [`/local/boxes/publish/${run}`, 'Publish a box', new RegExp(`/publish-runs/${run}$`)],
    ['/local/boxes/moves', 'Moves', /\/moves\?/],
    [`/local/boxes/moves/${move}`, 'boxes.invalid', new RegExp(`/moves/${move}$`)],
    ['/local/replication', 'Replication', /\/replication/],
    ['/local/connections', 'Connections', /\/connections$/],
  ] as const;
  await page.clock.install();
  const polled: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['x-gatehouse-poll'] !== undefined) polled.push(request.url());
  });
  const again = signInAgain(page);
  for (const [place, heading, asked] of screens) {
    await test.step(place, async () => {
      await page.goto(place);
      await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
      polled.length = 0;
      // The screen's initial requests may still be running at the first step, and count as activity.
      await expect(async () => {
        stack.advance(stepMs);
        const [answered] = await Promise.all([
          page.waitForResponse(/\/session$/, { timeout: 500 }),
          page.clock.fastForward(pollMs),
        ]);
        expect(answered.status()).toBe(401);
      }).toPass({ timeout: 20_000, intervals: [0] });
      await expect(again.dialog).toContainText('You have been inactive.');
      expect(
        polled.filter((url) => asked.test(url)),
        polled.join(' '),
      ).not.toEqual([]);
      await again.enter(password);
      await expect(again.dialog).toBeHidden();
    });
  }
});
