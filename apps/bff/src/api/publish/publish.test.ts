import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { planOfRun, type PublishPlan } from '@gatehouse/api-types/console/publish';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { act, movesApi } from '#test/moves.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  putImage,
  readRun,
  runIn,
  runsApi,
  sendAll,
  sha256,
  shownRevision,
  startRun,
  uploadIn,
  releaseRun,
} from '#test/publish.ts';

let boxes: BoxesConsole;
let admin: Browser;

beforeAll(async () => {
  boxes = await startBoxes({ bff: { retryDelaysMs: [10, 20] } });
  admin = await boxes.signedIn();
});
afterAll(() => boxes[Symbol.asyncDispose]());

test('publishes a box step by step, with two providers, one of which has an image', async () => {
  const image = imageOf(2_500_000);
  const run = await startRun(admin, 'whole', [
    { name: 'virtualbox' },
    { name: 'libvirt', url: 'https://images.example/whole.box' },
  ]);
  expect(run).toMatchObject({
    state: 'open',
    box: { step: { state: 'done', outcome: 'created' } },
    version: { step: { state: 'done', outcome: 'created' } },
    providers: [
      { name: 'virtualbox', ready: false, upload: null },
      { name: 'libvirt', ready: true },
    ],
  });
  const early = await releaseRun(admin, run);
  expect(early.json).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('virtualbox'),
  });
  const upload = await beginUpload(admin, run, image);
  await sendAll(admin, upload.path, image);
  const done = await uploadIn(admin, run.id, ['done', 'failed']);
  expect(done).toMatchObject({
    state: 'done',
    received: image.length,
    delivered: image.length,
    attempts: 1,
    sha256: sha256(image),
    problem: null,
  });
  const unseen = await admin.send('POST', `${runsApi}/${run.id}/release`, {
    body: { revision: 'of before' },
  });
  expect(unseen.json).toMatchObject({ code: 'conflict', conflict: { reason: 'modified' } });
  expect(await readRun(admin, run.id)).toMatchObject({ state: 'open', release: { state: 'failed' } });
  const released = runIn(await releaseRun(admin, run));
  expect(released).toMatchObject({ state: 'released', release: { state: 'done', outcome: 'created' } });
  expect(released.log.map(({ text }) => text)).toEqual([
    'The box admin/whole was created.',
    'Version 1.0.0 was created.',
    'The provider virtualbox was created.',
    'The provider libvirt was created.',
    'package.box was received.',
    'The image was delivered and verified.',
    'Version 1.0.0: This box version was changed after you opened it. Nothing was overwritten.',
    'Version 1.0.0 was released. Clients can now find it.',
  ]);
  expect(await downloaded(boxes, 'whole')).toBe(sha256(image));
  const provider = await boxes.direct.get('/api/v1/box/admin/whole/version/1.0.0/provider/virtualbox');
  // No checksum was given, but it is known now.
  expect(provider.body).toMatchObject({ checksum: sha256(image), checksum_type: 'sha256' });
  const changes = await admin.send('GET', '/api/environments/test/activity?resource_id=admin/whole/1.0.0');
  expect(changes.json['items']).toMatchObject([
    { action: 'box-version.release', paths: ['part-of=publish-run.release'], outcome: 'succeeded' },
    { action: 'box-version.create', revision_before: null, outcome: 'succeeded' },
  ]);
  const ofRun = await admin.send(
    'GET',
    '/api/environments/test/activity?q=admin/whole%20publish-run.release',
  );
  expect(ofRun.json['items']).toMatchObject([
    { action: 'box-version.release' },
    {
      action: 'publish-run.release',
      resource: { id: run.id, name: 'admin/whole 1.0.0' },
      outcome: 'succeeded',
    },
    { action: 'publish-run.release', resource: { name: 'admin/whole 1.0.0' } },
  ]);
  const named = await admin.send('GET', `/api/environments/test/activity?q=${run.id}`);
  expect(named.json['items']).toContainEqual(
    expect.objectContaining({
      action: 'publish-upload.create',
      resource: expect.objectContaining({ kind: 'publish-upload', id: run.id }),
    }),
  );
  const listed = await admin.send('GET', runsApi);
  expect(listed.json['runs']).not.toContainEqual(expect.objectContaining({ id: run.id }));
  const all = await admin.send('GET', `${runsApi}?ended=true`);
  expect(all.json['runs']).toContainEqual(expect.objectContaining({ id: run.id }));
});

describe('an existing record', () => {
  test('is used if it is as planned, and otherwise requires a decision', async () => {
    await startRun(admin, 'there', [{ name: 'virtualbox', url: 'https://images.example/1.box' }]);
    const again = await startRun(admin, 'there', [
      { name: 'virtualbox', url: 'https://images.example/2.box' },
    ]);
    expect(again).toMatchObject({
      box: { step: { state: 'done', outcome: 'used' } },
      version: { step: { state: 'done', outcome: 'used' } },
      providers: [{ step: { state: 'exists', outcome: null }, ready: false }],
    });
    const at = `${runsApi}/${again.id}/providers/${again.providers[0]?.id}`;
    const used = runIn(await admin.send('POST', at, { body: { existing: 'use' } }));
    expect(used.providers).toMatchObject([
      { step: { state: 'done', outcome: 'used' }, stored: null, ready: true },
    ]);
    const revision = await shownRevision(admin, at);
    const updated = runIn(await admin.send('POST', at, { body: { existing: 'update', revision } }));
    expect(updated.providers).toMatchObject([{ step: { outcome: 'updated' }, stored: null }]);
    const stored = await boxes.direct.get('/api/v1/box/admin/there/version/1.0.0/provider/virtualbox');
    expect(stored.body['original_url']).toBe('https://images.example/2.box');
  });

  test.each(['box', 'version', 'provider'] as const)(
    'of a %s that two tabs create at the same time is done for both',
    async (kind) => {
      const name = `twice-${kind}`;
      const run = runIn(
        await admin.send('POST', runsApi, {
          body: {
            box: {
              username: 'admin',
              name,
              create: { short_description: '', description: '', is_private: true },
            },
            version: { version: '1.0.0', description: '' },
            providers: [{ name: 'virtualbox', source: { kind: 'image' }, checksum: '', checksum_type: null }],
          },
        }),
      );
      const steps = ['box', 'version', `providers/${run.providers[0]?.id}`];
      const at = ['box', 'version', 'provider'].indexOf(kind);
      const send = (step: string | undefined) =>
        admin.send('POST', `${runsApi}/${run.id}/${step}`, { body: {} });
      for (const step of steps.slice(0, at)) runIn(await send(step));
      // Both have found no record before either creates it.
      const [both, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let reads = 0;
      boxes.proxy.onRequest = (bytes) => {
        if (!bytes.toString('latin1').startsWith('GET ')) return undefined;
        reads += 1;
        if (reads === 2) both.resolve();
        return passed.promise;
      };
      const answers = [send(steps[at]), send(steps[at])];
      await both.promise;
      delete boxes.proxy.onRequest;
      passed.resolve();
      for (const answer of answers) runIn(await answer);
      const after = await readRun(admin, run.id);
      expect([after.box, after.version, ...after.providers][at]).toMatchObject({
        step: { state: 'done', problem: null },
      });
      expect(after.log.filter(({ failed }) => failed)).toEqual([]);
    },
  );

  test('is replaced only as it was shown, and its own history says by whom', async () => {
    const at = '/api/v1/box/admin/shown';
    const create = (description: string) => ({ short_description: '', description, is_private: true });
    const source = (url: string) => ({
      name: 'virtualbox',
      source: { kind: 'url', url },
      checksum: '',
      checksum_type: null,
    });
    await startRun(admin, 'shown', [{ name: 'virtualbox', url: 'https://images.example/1.box' }]);
    const run = runIn(
      await admin.send('POST', runsApi, {
        body: {
          box: { username: 'admin', name: 'shown', create: create('planned') },
          version: { version: '1.0.0', description: 'planned' },
          providers: [source('https://images.example/planned.box')],
        },
      }),
    );
    const steps = [
      {
        step: 'box',
        here: `${boxesApi}/owners/admin/boxes/shown`,
        change: () => boxes.direct.put(at, { box: { description: 'theirs' } }),
        theirs: { description: 'theirs' },
        planned: { description: 'planned' },
        entry: { action: 'box.update', id: 'admin/shown', paths: ['description'] },
      },
      {
        step: 'version',
        here: `${boxesApi}/owners/admin/boxes/shown/versions/1.0.0`,
        change: () => boxes.direct.put(`${at}/version/1.0.0`, { version: { description: 'theirs' } }),
        theirs: { description: 'theirs' },
        planned: { description: 'planned' },
        entry: { action: 'box-version.update', id: 'admin/shown/1.0.0', paths: ['description'] },
      },
      {
        step: `providers/${run.providers[0]?.id}`,
        here: `${boxesApi}/owners/admin/boxes/shown/versions/1.0.0/providers/virtualbox/unknown`,
        change: () =>
          boxes.direct.put(`${at}/version/1.0.0/provider/virtualbox`, {
            provider: { url: 'https://images.example/theirs.box' },
          }),
        theirs: { url: 'https://images.example/theirs.box' },
        planned: { url: 'https://images.example/planned.box' },
        entry: {
          action: 'box-provider.update',
          id: 'admin/shown/1.0.0/virtualbox/unknown',
          paths: ['url'],
        },
      },
    ];
    for (const { step, here, change, theirs, planned, entry } of steps) {
      const path = `${runsApi}/${run.id}/${step}`;
      const old = await shownRevision(admin, path);
      await change();
      for (const revision of [old, undefined]) {
        const { box, version, providers } = runIn(
          await admin.send('POST', path, { body: { existing: 'update', revision } }),
        );
        const asked = { box, version }[step] ?? providers[0];
        expect(asked).toMatchObject({
          step: { state: 'exists', outcome: null },
          stored: { ...theirs, changed: revision === old },
        });
        expect((await admin.send('GET', here)).json).toMatchObject(theirs);
      }
      const seen = await admin.send('GET', here);
      const shown = await shownRevision(admin, path);
      runIn(await admin.send('POST', path, { body: { existing: 'update', revision: shown } }));
      const revision = String(seen.json['revision']);
      expect((await admin.send('GET', here)).json).toMatchObject(planned);
      // A user who edits the earlier state learns who changed it from the record's own trail.
      const late = await admin.send('PATCH', here, { revision, body: theirs });
      expect(late.json).toMatchObject({ code: 'conflict', conflict: { isYours: true } });
      const { json } = await admin.send(
        'GET',
        `/api/environments/test/activity?service=boxes&resource_id=${entry.id}`,
      );
      expect(json['items']).toContainEqual(
        expect.objectContaining({
          action: entry.action,
          outcome: 'succeeded',
          paths: [expect.stringContaining('part-of=publish-run.'), ...entry.paths],
          revision_before: revision,
        }),
      );
    }
    const { log } = await readRun(admin, run.id);
    expect(log.map(({ text }) => text)).toContain(
      'Version 1.0.0 was changed after your decision. Decide again what to do with it.',
    );
  });

  test('requires a new decision if its image arrived since it was shown', async () => {
    const planned = [{ name: 'virtualbox', checksum: sha256(imageOf(1000)) }];
    await startRun(admin, 'arrived', planned);
    const url = 'https://images.example/1.box';
    const run = await startRun(admin, 'arrived', [{ ...planned[0], name: 'virtualbox', url }]);
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}`;
    const revision = await shownRevision(admin, path);
    await putImage(boxes, 'arrived', imageOf(1000));
    const asked = runIn(await admin.send('POST', path, { body: { existing: 'update', revision } }));
    expect(asked.providers).toMatchObject([{ stored: { changed: true, available: true } }]);
    const here = `${boxesApi}/owners/admin/boxes/arrived/versions/1.0.0/providers/virtualbox/unknown`;
    expect((await admin.send('GET', here)).json).toMatchObject({ hosted: true, size: 1000 });
    const body = { existing: 'update', revision: asked.providers[0]?.stored?.revision };
    const updated = runIn(await admin.send('POST', path, { body }));
    expect(updated.providers).toMatchObject([{ step: { outcome: 'updated' } }]);
  });

  test("that was deleted after it was shown isn't created again without a decision", async () => {
    const url = 'https://images.example/1.box';
    await startRun(admin, 'gone', [{ name: 'virtualbox', url }]);
    const run = await startRun(admin, 'gone', [{ name: 'virtualbox', url: `${url}?2` }]);
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}`;
    const revision = await shownRevision(admin, path);
    await boxes.direct.delete('/api/v1/box/admin/gone/version/1.0.0/provider/virtualbox');
    const refused = await admin.send('POST', path, { body: { existing: 'update', revision } });
    expect(refused.json).toMatchObject({ code: 'conflict', conflict: { reason: 'deleted' } });
    expect((await readRun(admin, run.id)).providers).toMatchObject([
      { step: { state: 'failed' }, stored: null },
    ]);
    const created = runIn(await admin.send('POST', path, { body: {} }));
    expect(created.providers).toMatchObject([{ step: { outcome: 'created' } }]);
  });

  test("with an image isn't replaced without a decision", async () => {
    const image = imageOf(1000);
    const first = await startRun(admin, 'imaged');
    await sendAll(admin, (await beginUpload(admin, first, image)).path, image);
    await uploadIn(admin, first.id, ['done']);
    const second = await startRun(admin, 'imaged');
    expect(second.providers).toMatchObject([{ step: { state: 'exists' } }]);
    const at = `${runsApi}/${second.id}/providers/${second.providers[0]?.id}`;
    const used = runIn(await admin.send('POST', at, { body: { existing: 'use' } }));
    expect(used.providers).toMatchObject([{ ready: true, upload: null }]);
    const released = runIn(await releaseRun(admin, second));
    expect(released.state).toBe('released');
    const late = runIn(await releaseRun(admin, first));
    expect(late.release).toMatchObject({ state: 'done', outcome: 'used' });
  });

  test("that doesn't exist though the plan requires it fails with a reason", async () => {
    const made = await admin.send('POST', runsApi, {
      body: { box: { username: 'admin', name: 'nowhere', create: null }, version: null, providers: [] },
    });
    const run = runIn(made);
    const failed = await admin.send('POST', `${runsApi}/${run.id}/box`, { body: {} });
    expect([failed.status, failed.json['code']]).toEqual([404, 'not-found']);
    expect(await readRun(admin, run.id)).toMatchObject({
      box: { step: { state: 'failed', problem: { code: 'not-found' } } },
      log: [{ failed: true }],
    });
    const early = await admin.send('POST', `${runsApi}/${run.id}/version`, { body: {} });
    expect(early.json['code']).toBe('invalid-request');
  });
});

describe('a plan', () => {
  test('is saved at the revision that the user saw, and keeps what is done', async () => {
    const run = await startRun(admin, 'planned', [
      { name: 'virtualbox', url: 'https://images.example/1.box' },
    ]);
    const plan = {
      box: {
        username: 'admin',
        name: 'planned',
        create: { short_description: '', description: '', is_private: true },
      },
      version: { version: '1.0.0', description: '' },
      providers: [
        {
          id: run.providers[0]?.id,
          name: 'virtualbox',
          source: { kind: 'url', url: 'https://images.example/1.box' },
          checksum: '',
          checksum_type: null,
        },
        { name: 'libvirt', source: { kind: 'image' }, checksum: '', checksum_type: null },
      ],
    };
    const at = `${runsApi}/${run.id}`;
    const saved = runIn(await admin.send('PUT', at, { revision: run.revision, body: plan }));
    expect(saved.providers).toMatchObject([
      { name: 'virtualbox', step: { state: 'done' } },
      { name: 'libvirt', step: { state: 'planned' } },
    ]);
    const stale = await admin.send('PUT', at, {
      revision: run.revision,
      body: { ...plan, providers: [] },
    });
    expect(stale.json).toMatchObject({ code: 'conflict', conflict: { currentRevision: saved.revision } });
    const other = await admin.send('PUT', at, {
      revision: saved.revision,
      body: { ...plan, version: { version: '2.0.0', description: '' } },
    });
    expect(other.json['code']).toBe('invalid-request');
    const operator = await boxes.signedIn('operator');
    expect((await operator.send('GET', at)).status).toBe(404);
    const ended = runIn(await admin.send('POST', `${at}/abandon`));
    expect(ended.state).toBe('abandoned');
    expect((await admin.send('POST', `${at}/box`, { body: {} })).status).toBe(400);
  });

  test.each<[string, RegExp, (plan: PublishPlan) => PublishPlan]>([
    [
      'box',
      /^POST \S*\/boxes /,
      ({ box, ...plan }) => ({ ...plan, box: box && { ...box, name: 'while-made-as-saved' } }),
    ],
    [
      'provider',
      /^POST \S*\/providers /,
      ({ providers, ...plan }) => ({
        ...plan,
        providers: providers.map((one) => ({
          ...one,
          source: { kind: 'url', url: 'https://images.example/as-saved.box' },
        })),
      }),
    ],
  ])(
    "whose %s was changed while it was being created doesn't count it as done",
    async (part, request, changed) => {
      const create = { short_description: '', description: '', is_private: true };
      const body = {
        box: { username: 'admin', name: `while-made-${part}`, create },
        version: { version: '1.0.0', description: '' },
        providers: [
          {
            name: 'virtualbox',
            source: { kind: 'url', url: 'https://images.example/as-planned.box' },
            checksum: '',
            checksum_type: null,
          },
        ],
      };
      const run = runIn(await admin.send('POST', runsApi, { body }));
      const at = `${runsApi}/${run.id}`;
      const steps = ['box', 'version', `providers/${run.providers[0]?.id}`];
      const last = part === 'box' ? 0 : 2;
      for (const step of steps.slice(0, last)) runIn(await admin.send('POST', `${at}/${step}`, { body: {} }));
      const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      boxes.proxy.onRequest = (bytes) => {
        if (!request.test(bytes.toString('latin1'))) return undefined;
        asked.resolve();
        return made.promise;
      };
      const making = admin.send('POST', `${at}/${steps[last]}`, { body: {} });
      await asked.promise;
      const before = await readRun(admin, run.id);
      const saved = { body: changed(planOfRun(before)), revision: before.revision };
      runIn(await admin.send('PUT', at, saved));
      made.resolve();
      const { box, providers } = runIn(await making);
      delete boxes.proxy.onRequest;
      expect((part === 'box' ? box : providers[0])?.step).toMatchObject({ state: 'planned' });
    },
  );

  test('whose plan was changed during the release stays open for the change', async () => {
    const url = 'https://images.example/1.box';
    const run = await startRun(admin, 'while-released', [{ name: 'virtualbox', url }]);
    const [asked, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    boxes.proxy.onRequest = (bytes) => {
      if (!/^PUT \S*\/release /.test(bytes.toString('latin1'))) return undefined;
      asked.resolve();
      return made.promise;
    };
    const releasing = releaseRun(admin, run);
    await asked.promise;
    const before = await readRun(admin, run.id);
    const plan = planOfRun(before);
    const { id: _, ...first } = plan.providers[0] ?? {};
    const body = { ...plan, providers: [...plan.providers, { ...first, name: 'qemu', is_default: false }] };
    runIn(await admin.send('PUT', `${runsApi}/${run.id}`, { body, revision: before.revision }));
    made.resolve();
    const released = runIn(await releasing);
    delete boxes.proxy.onRequest;
    expect(released).toMatchObject({ state: 'open', release: { state: 'planned' } });
    const added = `${runsApi}/${run.id}/providers/${released.providers[1]?.id}`;
    expect(runIn(await admin.send('POST', added, { body: {} })).providers[1]).toMatchObject({ ready: true });
    const again = runIn(await releaseRun(admin, run));
    expect(again).toMatchObject({ state: 'released', release: { state: 'done', outcome: 'used' } });
  });

  test("is refused beyond a user's limit of runs", async () => {
    const operator = await boxes.signedIn('operator');
    const body = { box: null, version: null, providers: [] };
    for (let at = 0; at < 100; at++)
      expect((await operator.send('POST', runsApi, { body })).status).toBe(200);
    const refused = await operator.send('POST', runsApi, { body });
    expect(refused.json).toMatchObject({ status: 400, detail: expect.stringContaining('abandon one first') });
    const { json } = await operator.send('GET', runsApi);
    const [{ id } = { id: '' }] = json['runs'] as { id: string }[];
    await operator.send('POST', `${runsApi}/${id}/abandon`);
    expect((await operator.send('POST', runsApi, { body })).status).toBe(200);
  });

  test('that was released just before it is abandoned stays released', async () => {
    const body = { box: null, version: null, providers: [] };
    const run = runIn(await admin.send('POST', runsApi, { body }));
    const file = new DatabaseSync(join(boxes.console.dataDir, 'console.db'));
    file.exec(`CREATE TRIGGER faster BEFORE UPDATE ON publish_run WHEN new.state = 'abandoned' BEGIN
      UPDATE publish_run SET state = 'released' WHERE id = new.id; SELECT RAISE(IGNORE); END`);
    const refused = await admin.send('POST', `${runsApi}/${run.id}/abandon`);
    file.exec('DROP TRIGGER faster');
    file.close();
    expect(refused.json).toMatchObject({ status: 400, detail: 'This run was already released.' });
    const now = await readRun(admin, run.id);
    expect([now.state, now.log]).toEqual(['released', []]);
  });

  test('has each provider once', async () => {
    const provider = { name: 'virtualbox', source: { kind: 'image' }, checksum: '', checksum_type: null };
    const answer = await admin.send('POST', runsApi, {
      body: { box: null, version: null, providers: [provider, { ...provider, name: 'VirtualBox' }] },
    });
    expect(answer.json['code']).toBe('invalid-request');
  });
});

test("counts an account's unfinished runs and moves together in all environments", async () => {
  const sources = ['http://127.0.0.1:1'];
  await using own = await startBoxes();
  await own.console.close();
  const endpoint = { kind: 'url', url: new URL(`http://127.0.0.1:${own.proxy.port}`) } as const;
  const services = { boxes: { endpoint, signIn: ['password'] } } as const;
  const other = { id: 'other', name: 'Other', kind: 'development', sharedAccounts: false, services } as const;
  own.console = await own.another({ others: [other], moves: { sources }, bff: { retryDelaysMs: [1] } });
  const [here, there] = [await own.signedIn(), own.console.browser()];
  const [run, move] = [
    { box: null, version: null, providers: [] },
    { kind: 'boxes', address: sources[0], token: '', wanted: ['admin/one'] },
  ];
  const credentials = { method: 'password', login_name: 'admin', password: testPassword };
  const signIn = { environment: 'other', service: 'boxes', credentials };
  expect((await there.send('POST', '/api/session', { body: signIn })).status).toBe(200);
  using file = new DatabaseSync(join(own.console.dataDir, 'console.db'));
  for (const [path, table, body] of [
    ['publish-runs', 'publish_run', run],
    ['moves', 'move', move],
  ] as const) {
    const at = (environment: string) => `/api/environments/${environment}/${path}`;
    expect((await here.send('POST', at('test'), { body })).status).toBe(200);
    file.exec(`CREATE TEMP TABLE one AS SELECT * FROM ${table}`);
    for (let count = 2; count <= 99; count++)
      file.exec(`UPDATE one SET id = 'copy-${count}'; INSERT INTO ${table} SELECT * FROM one`);
    file.exec('DROP TABLE one');
    expect((await there.send('POST', at('other'), { body })).status).toBe(200);
    const refused = await there.send('POST', at('other'), { body });
    expect([refused.status, refused.json['detail']]).toEqual([
      400,
      expect.stringContaining('You have 100 unfinished'),
    ]);
  }
  // A move that is taken over counts too.
  const theirs = await (await own.signedIn('operator')).send('POST', movesApi, { body: move });
  const taken = await act(here, String(theirs.json['id']), 'resume', { token: '' });
  expect([taken.status, taken.json['detail']]).toEqual([
    400,
    expect.stringContaining('You have 100 unfinished moves'),
  ]);
});
