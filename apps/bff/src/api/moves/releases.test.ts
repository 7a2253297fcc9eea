/** Moves into a production environment: required confirmations, records left alone, and the audit trail. */
import { activityEntry } from '@gatehouse/api-types/console/activity';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { answering } from '#test/fault-proxy.ts';
import {
  act,
  copied,
  itemsOf,
  moveIn,
  moveOnce,
  movesApi,
  planned,
  readMove,
  reportOf,
  seedBox,
  startMoves,
  type MovesConsole,
  type SeededImage,
} from '#test/moves.ts';
import { imageOf, sha256 } from '#test/publish.ts';

let moves: MovesConsole;
let page: Browser;
beforeAll(async () => {
  moves = await startMoves({ kind: 'production' });
  page = await moves.here.signedIn();
});
afterAll(() => moves[Symbol.asyncDispose]());

const url = 'https://images.example/image.box';
const at = (box: string): string => `/api/v2/box/admin/${box}/version/1.0.0`;
const activityOf = async (browser: Browser, query: string) =>
  z.parse(
    z.array(activityEntry),
    (await browser.send('GET', `/api/environments/test/activity?${query}`)).json['items'],
  );
const statusHere = async (box: string): Promise<unknown> =>
  (await moves.here.direct.get(at(box))).body['status'];

test('a version that someone releases after the plan stays released, even if the source revoked it', async () => {
  const { source, here } = moves;
  const version = { version: '1.0.0', images: [{ image: url }] };
  await seedBox(source, 'revoked', [{ ...version, status: 'revoked' }]);
  await seedBox(here, 'revoked', [{ ...version, status: 'unreleased' }]);
  const plan = await planned(page, source, ['admin/revoked']);
  await here.direct.put(`${at('revoked')}/release`, {});
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { here: 1 } });
  expect(await statusHere('revoked')).toBe('active');
});

test('releases and revokes each version once, though its images are done at the same time', async () => {
  const { source, here } = moves;
  const images = ['amd64', 'arm64', 'i386', 'ppc64le'].map((architecture) => ({ image: url, architecture }));
  const versions = Array.from({ length: 30 }, (_, n) => ({
    version: `1.0.${n}`,
    status: 'revoked' as const,
    images,
  }));
  await seedBox(source, 'often', versions);
  const plan = await planned(page, source, ['admin/often']);
  let releases = 0;
  here.proxy.onRequest = (bytes) => {
    if (/^PUT \S*\/release /.test(bytes.toString('latin1'))) releases += 1;
    return undefined;
  };
  const { log } = await copied(page, plan.id);
  delete here.proxy.onRequest;
  expect(log.filter(({ failed }) => failed)).toEqual([]);
  expect(releases).toBe(30);
});

test("a released version that the move couldn't revoke is revoked on retry", async () => {
  const { source, here } = moves;
  await seedBox(source, 'halfway', [{ version: '1.0.0', status: 'revoked', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/halfway']);
  here.proxy.onRequest = (bytes) => {
    if (!bytes.toString('latin1').includes('/revoke ')) return undefined;
    here.proxy.fault = { kind: 'hang up' };
    here.proxy.drop();
    // The request doesn't reach the registry.
    return new Promise(() => undefined);
  };
  await copied(page, plan.id);
  expect(await statusHere('halfway')).toBe('active');
  delete here.proxy.onRequest;
  here.proxy.fault = { kind: 'none' };
  moveIn(await act(page, plan.id, 'retry', { item: null, token: '' }));
  await moveOnce(page, plan.id, ['done']);
  expect(await statusHere('halfway')).toBe('revoked');
});

test("adding to a released version requires the password, and copying missing versions doesn't", async () => {
  const { source, here } = moves;
  const both = [{ image: url }, { image: url, architecture: 'arm64' }];
  await seedBox(source, 'joined', [{ version: '1.0.0', images: both }]);
  await seedBox(source, 'fresh', [{ version: '1.0.0', images: both }]);
  await seedBox(here, 'joined', [{ version: '1.0.0', images: both.slice(0, 1) }]);
  const fresh = await planned(page, source, ['admin/fresh']);
  expect(fresh.joined_releases).toBe(0);
  expect(await copied(page, fresh.id)).toMatchObject({ state: 'done', pieces: { linked: 2 } });
  const joined = await planned(page, source, ['admin/joined']);
  expect(joined.joined_releases).toBe(1);
  expect((await act(page, joined.id, 'start', { token: '' })).json).toMatchObject({
    code: 'confirmation-required',
    detail: expect.stringContaining("immediately, and it can't be recalled"),
  });
  expect(await readMove(page, joined.id)).toMatchObject({ state: 'planned' });
  const confirmed = await here.signedIn();
  await confirmAs(confirmed, testPassword);
  expect(await copied(confirmed, joined.id)).toMatchObject({ state: 'done', pieces: { linked: 1 } });
});

test('adds nothing to a version released after the start until someone confirms it', async () => {
  const { source, here } = moves;
  const [first, second] = [imageOf(9000, 1), imageOf(9000, 2)];
  const images = [{ image: first }, { image: second, architecture: 'arm64' }];
  await seedBox(source, 'late', [{ version: '1.0.0', images }]);
  await seedBox(here, 'late', [{ version: '1.0.0', status: 'unreleased', images: images.slice(0, 1) }]);
  const plan = await planned(page, source, ['admin/late']);
  expect(plan.joined_releases).toBe(0);
  const released = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  source.proxy.onRequest = (bytes) => {
    if (!/^GET \S*\/providers\//.test(bytes.toString('latin1'))) return undefined;
    asked.resolve();
    return released.promise;
  };
  moveIn(await act(page, plan.id, 'start', { token: '' }));
  await asked.promise;
  await here.direct.put(`${at('late')}/release`, {});
  released.resolve();
  delete source.proxy.onRequest;
  const done = await moveOnce(page, plan.id, ['done']);
  expect(done).toMatchObject({ pieces: { failed: 1, here: 1 }, joined_releases: 1 });
  const [line] = (await reportOf(page, plan.id)).filter(({ state }) => state === 'failed');
  expect(line?.detail).toContain('released here after the copy started');
  expect((await here.direct.get(`${at('late')}/provider/virtualbox/arm64`)).status).toBe(404);
  expect((await act(page, plan.id, 'retry', { item: null, token: '' })).json).toMatchObject({
    code: 'confirmation-required',
  });
  const confirmed = await here.signedIn();
  await confirmAs(confirmed, testPassword);
  moveIn(await act(confirmed, plan.id, 'retry', { item: null, token: '' }));
  expect(await moveOnce(page, plan.id, ['done'])).toMatchObject({ pieces: { copied: 1 } });
  // The previous default stays the default.
  expect((await here.direct.get(`${at('late')}/provider/virtualbox/arm64`)).body).toMatchObject({
    checksum: sha256(second),
    default_architecture: false,
  });
});

test("records each change in the trail, with the move's owner and the request that started it", async () => {
  const { source } = moves;
  const hosted = { image: imageOf(9000, 3), architecture: 'arm64' };
  await seedBox(
    source,
    'traced',
    [
      { version: '1.0.0', images: [{ image: url }, hosted] },
      { version: '0.9.0', status: 'revoked', images: [{ image: url }] },
    ],
    { is_private: true },
  );
  const { token } = source.direct;
  const plan = await planned(page, source, ['admin/traced'], { token });
  const { revision } = await readMove(page, plan.id);
  const choice = { ...plan.choice, owners: [{ from: 'admin', to: 'acme' }] };
  moveIn(await page.send('PUT', `${movesApi}/${plan.id}/choice`, { body: choice, revision }));
  await moveOnce(page, plan.id, ['planned']);
  expect(await copied(page, plan.id, token)).toMatchObject({ pieces: { copied: 1, linked: 2 } });
  const [started] = await activityOf(page, `resource_id=${plan.id}&action=move.start`);
  const parts = await activityOf(page, `request_id=${started?.request_id ?? ''}`);
  const changes = parts.filter(({ sequence }) => sequence !== started?.sequence);
  expect(changes.map(({ action, resource }) => `${action} ${resource.id}`).toSorted()).toEqual([
    'box-provider.create acme/traced/0.9.0/virtualbox/amd64',
    'box-provider.create acme/traced/1.0.0/virtualbox/amd64',
    'box-provider.create acme/traced/1.0.0/virtualbox/arm64',
    'box-version.create acme/traced/0.9.0',
    'box-version.create acme/traced/1.0.0',
    'box-version.release acme/traced/0.9.0',
    'box-version.release acme/traced/1.0.0',
    'box-version.revoke acme/traced/0.9.0',
    'box.create acme/traced',
    'organization.create acme',
  ]);
  for (const { person, outcome, paths } of changes) {
    expect([person.id, person.name, outcome]).toEqual([
      started?.person.id,
      started?.person.name,
      'succeeded',
    ]);
    expect(paths).toEqual(expect.arrayContaining(['part-of=move.start', `move=${plan.id}`]));
  }
  const pathsOf = (id: string) => changes.find(({ resource }) => resource.id === id)?.paths;
  expect(pathsOf('acme/traced')).toContain('is_private=true');
  expect(pathsOf('acme/traced/1.0.0/virtualbox/arm64')).toContain('image');
  expect(pathsOf('acme/traced/1.0.0/virtualbox/amd64')).not.toContain('image');
});

test("doesn't release a version that someone else drafted after the plan with their images", async () => {
  const { source, here } = moves;
  await seedBox(source, 'drafted', [{ version: '1.0.0', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/drafted']);
  const images = [{ image: imageOf(9000, 6), provider: 'libvirt' }];
  await seedBox(here, 'drafted', [{ version: '1.0.0', status: 'unreleased', images }]);
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { linked: 1 } });
  expect(await statusHere('drafted')).toBe('unreleased');
  const [item] = await itemsOf(page, plan.id);
  expect(item?.problem?.detail).toContain("aren't the ones that the move copied or compared: libvirt");
});

const upload = async (path: string, image: Buffer): Promise<void> => {
  const { body } = await moves.here.direct.get(`${path}/upload`);
  const sent = await fetch(String(body['upload_path']), { method: 'PUT', body: new Uint8Array(image) });
  expect(sent.status).toBe(200);
};
const draft = (name: string, images: readonly SeededImage[]): Promise<void> =>
  seedBox(moves.here, name, [{ version: '1.0.0', status: 'unreleased', images }]);
/** Calls back before the nth request here, counted from 1, that matches. */
const beforeRequest = (pattern: RegExp, nth: number, then: () => Promise<unknown>): void => {
  let seen = 0;
  moves.here.proxy.onRequest = (bytes) => {
    if (!pattern.test(bytes.toString('latin1')) || ++seen !== nth) return undefined;
    return then();
  };
};
afterEach(() => {
  delete moves.here.proxy.onRequest;
  delete moves.source.proxy.onRequest;
});
const isKept = async (name: string, id: string, image: string): Promise<void> => {
  expect(await statusHere(name)).toBe('unreleased');
  const [item] = await itemsOf(page, id, `?q=${name}`);
  expect(item?.problem?.detail).toContain(`aren't the ones that the move copied or compared: ${image}.`);
};

test("doesn't release a version with someone else's image in the place of one that failed", async () => {
  const { source } = moves;
  const unreachable = { image: 'https://127.0.0.1:1/none.box', provider: 'vmware' };
  await seedBox(source, 'placed', [{ version: '1.0.0', images: [{ image: imageOf(9000, 1) }, unreachable] }]);
  const plan = await planned(page, source, ['admin/placed']);
  const { revision } = await readMove(page, plan.id);
  const choice = { ...plan.choice, links: 'copy' };
  moveIn(await page.send('PUT', `${movesApi}/${plan.id}/choice`, { body: choice, revision }));
  await draft('placed', [{ image: imageOf(9000, 2), provider: 'vmware' }]);
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { copied: 1, failed: 1 } });
  await isKept('placed', plan.id, 'vmware (amd64)');
});

test.each(['copied', 'deleted', 'here'])(
  "doesn't release a version with an image that someone replaced or deleted (%s)",
  async (how) => {
    const { source, here } = moves;
    const name = `changed-${how}`;
    const [first, second] = [{ image: imageOf(9000, 1) }, { image: imageOf(9000, 2), provider: 'vmware' }];
    await seedBox(source, name, [{ version: '1.0.0', images: [first, second] }]);
    if (how === 'here') await draft(name, [first]);
    const plan = await planned(page, source, [`admin/${name}`]);
    const path = `${at(name)}/provider/virtualbox/amd64`;
    let changing: Promise<void> | undefined;
    source.proxy.onRequest = (bytes) => {
      if (!/^GET \S*vmware/.test(bytes.toString('latin1'))) return undefined;
      changing ??= (async () => {
        const copies = how === 'here' ? 0 : 1;
        await expect.poll(async () => (await readMove(page, plan.id)).pieces.copied).toBe(copies);
        if (how === 'deleted') expect((await here.direct.delete(path)).status).toBe(200);
        else {
          await here.direct.put(path, { provider: { checksum: '', checksum_type: '' } });
          await upload(path, imageOf(9000, 3));
        }
      })();
      return changing;
    };
    expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { failed: 0 } });
    await isKept(name, plan.id, 'virtualbox (amd64)');
    moveIn(await act(page, plan.id, 'compare', { token: '' }));
    const differs = how === 'deleted' ? { clash: 0, missing: 1 } : { clash: 1, missing: 0 };
    expect(await moveOnce(page, plan.id, ['planned'])).toMatchObject({ pieces: differs });
    await copied(page, plan.id);
    expect(await statusHere(name)).toBe(how === 'deleted' ? 'active' : 'unreleased');
  },
);

test('compares the images again directly before the release', async () => {
  const { source, here } = moves;
  await seedBox(source, 'again', [{ version: '1.0.0', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/again']);
  const other = { url: 'https://images.example/other.box' };
  beforeRequest(/^POST \S*\/providers /, 1, () => {
    const path = `${at('again')}/provider/virtualbox/amd64`;
    // The second request after the link is for the release.
    beforeRequest(/^GET \S*\/version\/1\.0\.0 /, 2, () => here.direct.put(path, { provider: other }));
    return Promise.resolve();
  });
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { linked: 1 } });
  await isKept('again', plan.id, 'virtualbox (amd64)');
  const [release] = await activityOf(page, `resource_id=admin/again/1.0.0&action=box-version.release`);
  expect(release).toMatchObject({ outcome: 'failed', problem: 'conflict' });
});

test('links a provider that has no image here', async () => {
  const { source, here } = moves;
  await seedBox(source, 'linked', [{ version: '1.0.0', images: [{ image: url }] }]);
  await draft('linked', []);
  const reserved = { name: 'virtualbox', architecture: 'amd64' };
  await here.direct.post(`${at('linked')}/providers`, { provider: reserved });
  const plan = await planned(page, source, ['admin/linked']);
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { linked: 1 } });
  expect((await here.direct.get(at('linked'))).body).toMatchObject({
    status: 'active',
    providers: [{ name: 'virtualbox', original_url: url }],
  });
  const [update] = await activityOf(page, 'action=box-provider.update');
  expect(update).toMatchObject({
    resource: { id: 'admin/linked/1.0.0/virtualbox/amd64' },
    outcome: 'succeeded',
  });
});

test('links no provider that gets an image at the same time', async () => {
  const { source, here } = moves;
  await seedBox(source, 'filled', [{ version: '1.0.0', images: [{ image: url }] }]);
  await draft('filled', []);
  const reserved = { name: 'virtualbox', architecture: 'amd64' };
  await here.direct.post(`${at('filled')}/providers`, { provider: reserved });
  const plan = await planned(page, source, ['admin/filled']);
  const path = `${at('filled')}/provider/virtualbox/amd64`;
  beforeRequest(/^GET \S*\/provider\/virtualbox\/amd64 /, 2, () => upload(path, imageOf(9000, 1)));
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { failed: 1 } });
  expect((await here.direct.get(path)).body).toMatchObject({ size: 9000, original_url: null });
  moveIn(await act(page, plan.id, 'retry', { item: null, token: '' }));
  expect(await moveOnce(page, plan.id, ['done'])).toMatchObject({ pieces: { clash: 1 } });
});

test('compares a provider that someone else creates at the same time', async () => {
  const { source, here } = moves;
  await seedBox(source, 'raced', [{ version: '1.0.0', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/raced']);
  const provider = { name: 'virtualbox', architecture: 'amd64', url: 'https://images.example/other.box' };
  beforeRequest(/^POST \S*\/providers /, 1, () => here.direct.post(`${at('raced')}/providers`, { provider }));
  expect(await copied(page, plan.id)).toMatchObject({ state: 'done', pieces: { clash: 1 } });
  expect(await statusHere('raced')).toBe('unreleased');
});

test('adds no link to a version released directly before', async () => {
  const { source, here } = moves;
  const images = [{ image: url }, { image: url, architecture: 'arm64' }];
  await seedBox(source, 'sudden', [{ version: '1.0.0', images }]);
  await draft('sudden', images.slice(0, 1));
  const plan = await planned(page, source, ['admin/sudden']);
  beforeRequest(/^GET \S*\/provider\/virtualbox\/arm64 /, 1, () => {
    // The second request after it is the last one before the link.
    beforeRequest(/^GET \S*\/version\/1\.0\.0 /, 2, () => here.direct.put(`${at('sudden')}/release`, {}));
    return Promise.resolve();
  });
  expect(await copied(page, plan.id)).toMatchObject({ pieces: { failed: 1, here: 1 }, joined_releases: 1 });
  expect((await here.direct.get(`${at('sudden')}/provider/virtualbox/arm64`)).status).toBe(404);
  const [link] = await activityOf(page, 'action=box-provider.create');
  expect(link).toMatchObject({ resource: { id: 'admin/sudden/1.0.0/virtualbox/arm64' }, outcome: 'failed' });
});

test('deletes only providers that the move created if the registry refuses their image', async () => {
  const { source, here } = moves;
  const images = [{ image: imageOf(9000, 4) }, { image: imageOf(9000, 5), provider: 'libvirt' }];
  await seedBox(source, 'refused', [{ version: '1.0.0', images }]);
  await seedBox(here, 'refused', [{ version: '1.0.0', status: 'unreleased', images: [] }]);
  const reserved = { name: 'virtualbox', architecture: 'amd64' };
  await here.direct.post(`${at('refused')}/providers`, { provider: reserved });
  const plan = await planned(page, source, ['admin/refused']);
  expect(plan.pieces.missing).toBe(2);
  here.proxy.onRequest = async (bytes) => {
    const [, name] = /^GET \S*\/(\w+)\/amd64\/upload/.exec(bytes.toString('latin1')) ?? [];
    if (name === undefined) return;
    // The checksum differs from the image's, so the registry refuses the image.
    const provider = { checksum: 'a'.repeat(64), checksum_type: 'sha256' };
    await here.direct.put(`${at('refused')}/provider/${name}/amd64`, { provider });
  };
  expect(await copied(page, plan.id)).toMatchObject({ pieces: { failed: 2 } });
  delete here.proxy.onRequest;
  const { body } = await here.direct.get(at('refused'));
  expect((body['providers'] as { name: string }[]).map(({ name }) => name)).toEqual(['virtualbox']);
  const deleted = await activityOf(page, 'action=box-provider.delete');
  expect(deleted.map(({ resource }) => resource.id)).toEqual(['admin/refused/1.0.0/libvirt/amd64']);
});

test('records the intent of each change before it reaches the registry', async () => {
  const { source, here } = moves;
  await seedBox(source, 'intended', [{ version: '1.0.0', images: [{ image: url }] }]);
  const plan = await planned(page, source, ['admin/intended']);
  const seen: string[] = [];
  here.proxy.onRequest = (bytes) => {
    if (!/^(?:POST|PUT) /.test(bytes.toString('latin1'))) return undefined;
    return activityOf(page, 'outcome=pending').then((entries) => {
      seen.push(...entries.map(({ action, resource }) => `${action} ${resource.id}`));
    });
  };
  await copied(page, plan.id);
  delete here.proxy.onRequest;
  expect(seen).toEqual([
    'box.create admin/intended',
    'box-version.create admin/intended/1.0.0',
    'box-provider.create admin/intended/1.0.0/virtualbox/amd64',
    'box-version.release admin/intended/1.0.0',
  ]);
});

test.each(['sent', 'interrupted'])(
  'adds nothing to a version released while its image is %s until someone confirms it',
  async (how) => {
    const { source, here } = moves;
    const [first, second] = [imageOf(9000, 7), imageOf(9000, 8)];
    const images = [{ image: first }, { image: second, architecture: 'arm64' }];
    await seedBox(source, how, [{ version: '1.0.0', images }]);
    await seedBox(here, how, [{ version: '1.0.0', status: 'unreleased', images: images.slice(0, 1) }]);
    const plan = await planned(page, source, [`admin/${how}`]);
    let interruptedAt = Infinity;
    let releasing: Promise<unknown> | undefined;
    here.proxy.onRequest = (bytes) => {
      if (!/^GET \S*\/arm64\/upload /.test(bytes.toString('latin1'))) return undefined;
      releasing ??= here.direct.put(`${at(how)}/release`, {}).then(() => {
        if (how === 'sent') return;
        interruptedAt = here.proxy.accepted;
        here.proxy.fault = answering(503);
        here.proxy.drop();
      });
      return releasing;
    };
    moveIn(await act(page, plan.id, 'start', { token: '' }));
    await expect
      .poll(() => releasing !== undefined && (how === 'sent' || here.proxy.accepted > interruptedAt + 1))
      .toBe(true);
    here.proxy.fault = { kind: 'none' };
    const refused = { pieces: { failed: 1, here: 1 }, joined_releases: 1 };
    expect(await moveOnce(page, plan.id, ['done', 'paused'])).toMatchObject(refused);
    delete here.proxy.onRequest;
    const [line] = (await reportOf(page, plan.id)).filter(({ state }) => state === 'failed');
    expect(line?.detail).toContain('released here after the copy started');
    // The move's own provider goes with it.
    expect((await here.direct.get(`${at(how)}/provider/virtualbox/arm64`)).status).toBe(404);
    const retry = { item: null, token: '' };
    expect((await act(page, plan.id, 'retry', retry)).json).toMatchObject({ code: 'confirmation-required' });
    const confirmed = await here.signedIn();
    await confirmAs(confirmed, testPassword);
    moveIn(await act(confirmed, plan.id, 'retry', retry));
    expect(await moveOnce(page, plan.id, ['done'])).toMatchObject({ pieces: { copied: 1 } });
    expect((await here.direct.get(`${at(how)}/provider/virtualbox/arm64`)).body).toMatchObject({
      checksum: sha256(second),
    });
  },
);
