import { createHash, randomBytes } from 'node:crypto';
import { archive, smallModule, tar } from '@gatehouse/module-archive/testing/archives';
import { describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import {
  asked,
  moduleAt,
  modulesApi,
  net,
  publish,
  publishing,
  readArchive,
  useModules,
  codeOf,
  modules,
  admin,
} from '#test/modules.ts';

useModules();

/** Larger than one packet, so that an archive cut off at its first packet doesn't arrive. */
const large = archive({ 'main.tf': '', noise: randomBytes(500_000).toString('base64') });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('publishing', () => {
  test('sends the archive, and returns what the registry read from it', async () => {
    const made = await admin.send(
      'POST',
      moduleAt('acme/net/aws', '/versions/1.0.0/publish'),
      publishing(net, { source: 'https://git.example/net' }),
    );
    expect(made.json).toMatchObject({
      version: '1.0.0',
      owner: 'admin',
      description: 'A network of its own.',
      source: 'https://git.example/net',
      deprecation: null,
      archive: { size: net.length, sha256: sha256(net) },
      content: {
        from: 'registry',
        reason: '',
        root: { inputs: [{ name: 'size', type: 'list(string)', required: true }], outputs: [{ name: 'id' }] },
        submodules: [{ path: 'modules/peer', inputs: [{ name: 'name' }] }],
        problems: [],
      },
    });
    const read = await admin.send('GET', moduleAt('acme/net/aws', '/versions/1.0.0'));
    expect(read.json).toEqual(made.json);
    expect((await admin.send('GET', moduleAt('acme/net/aws'))).json).toMatchObject({
      namespace: 'acme',
      name: 'net',
      provider: 'aws',
      verified: false,
      owner: 'admin',
      description: 'A network of its own.',
      downloads: 0,
      latest: '1.0.0',
      versions: [{ version: '1.0.0', published_time: read.json['published_time'], deprecation: null }],
      providers: ['aws'],
      address: 'modules.example/acme/net/aws',
      host: 'modules.example',
      services_url: '',
      may: { publish: true, manage: true },
    });
  });

  test("accepts an archive with unreadable configuration, and shows the parser's message", async () => {
    const made = await publish(admin, 'acme/broken/aws/1.0.0', archive({ 'main.tf': 'variable "x" {' }));
    expect(made.json['content']).toMatchObject({
      from: 'registry',
      problems: [{ path: 'main.tf', message: expect.stringContaining('main.tf') }],
    });
  });

  test.each([
    ['nothing', Buffer.from('nothing at all'), 'not gzip'],
    ['no module at its root', archive({ 'net/main.tf': '' }), 'in the folder net'],
    ['a path that leaves it', archive({ '../main.tf': '' }), '..'],
    ['no compression', tar([{ name: 'main.tf' }]), 'not gzip'],
  ])('refuses an archive of %s before anything is sent', async (_what, bytes, words) => {
    const lines = asked(modules);
    const refused = await admin.send(
      'POST',
      moduleAt('acme/bad/aws', '/versions/1.0.0/publish'),
      publishing(bytes),
    );
    expect(refused.json).toMatchObject({
      code: 'invalid-request',
      detail: expect.stringContaining(words),
      fields: [{ path: 'archive', message: expect.stringContaining(words) }],
    });
    expect(lines.filter((line) => line.startsWith('PUT'))).toEqual([]);
  });

  test.each([
    ['search/net/aws/versions/1.0.0', 'namespace'],
    ['-acme/net/aws/versions/1.0.0', 'namespace'],
    ['acme/n.t/aws/versions/1.0.0', 'name'],
    ['acme/net/AWS/versions/1.0.0', 'provider'],
    ['acme/net/aws/versions/v1.0.0', 'version'],
    ['acme/net/aws/versions/1.0', 'version'],
    ['acme/net/aws/versions/1.0.0+', 'version'],
  ])('to %s is refused beside the field', async (path, field) => {
    const refused = await admin.send('POST', `${modulesApi}/${path}/publish`, publishing(net));
    expect(refused.json).toMatchObject({ code: 'invalid-request', fields: [{ path: field }] });
  });

  test.each([
    [{ archive: '' }, 'archive'],
    [{ archive: '%' }, 'archive'],
    [{ source: 'javascript:alert(1)' }, 'source'],
    [{ source: 'https://me:secret@git.example' }, 'source'],
    [{ description: 'x'.repeat(501) }, 'description'],
  ])('with %j is refused beside the field', async (fields, field) => {
    const { body } = publishing(net);
    const refused = await admin.send('POST', moduleAt('acme/net/aws', '/versions/9.0.0/publish'), {
      body: { ...body, ...fields },
    });
    expect(refused.json).toMatchObject({ code: 'invalid-request', fields: [{ path: field }] });
  });

  test('with an archive that is followed by anything but base64 is refused beside the field', async () => {
    const { body } = publishing(net);
    const refused = await admin.send('POST', moduleAt('acme/net/aws', '/versions/9.0.0/publish'), {
      body: { ...body, archive: `${net.toString('base64')}%` },
    });
    expect(refused.json).toMatchObject({
      code: 'invalid-request',
      fields: [{ path: 'archive', message: 'Send the archive in base64.' }],
    });
  });

  test('again shortly after, as if the first answer was lost, returns the published version', async () => {
    const path = moduleAt('acme/twice/aws', '/versions/1.0.0/publish');
    const first = await admin.send('POST', path, publishing(net));
    const again = (page: Browser, fields = {}) => page.send('POST', path, publishing(net, fields));
    expect((await again(admin)).json).toEqual(first.json);
    expect((await again(admin, { description: 'A network of its own.' })).status).toBe(200);
    expect((await again(admin, { description: 'Another.' })).json).toMatchObject({ code: 'conflict' });
    expect((await again(admin, { source: 'https://git.example' })).json).toMatchObject({ code: 'conflict' });
    const operator = await modules.signedIn('operator');
    expect((await again(operator)).json).toMatchObject({ code: 'conflict' });
    const deprecation = moduleAt('acme/twice/aws', '/versions/1.0.0/deprecation');
    const said = { state: 'revoked', message: 'Leaks.', replacement: '' };
    const revision = String(first.json['revision']);
    const revoked = await admin.send('PUT', deprecation, { body: said, revision });
    expect((await again(admin)).json).toMatchObject({ code: 'conflict' });
    const restore = moduleAt('acme/twice/aws', '/versions/1.0.0/restore');
    await admin.send('POST', restore, { revision: String(revoked.json['revision']) });
    expect((await again(admin)).status).toBe(200);
    modules.console.clock.advance(10 * 60_000);
    expect((await again(admin)).json).toMatchObject({ code: 'conflict' });
  });

  test('under a used number is a conflict with the version that has it, or had it', async () => {
    const first = await publish(admin, 'acme/taken/aws/1.0.0');
    const again = await admin.send(
      'POST',
      moduleAt('acme/taken/aws', '/versions/1.0.0/publish'),
      publishing(smallModule('other')),
    );
    expect(again.json).toMatchObject({
      code: 'conflict',
      conflict: {
        reason: 'created',
        resource: { kind: 'module-version', id: 'acme/taken/aws/1.0.0' },
        current: { version: '1.0.0', archive: first.json['archive'] },
      },
    });
    await publish(admin, 'acme/taken/aws/1.1.0');
    await modules.direct.delete('/v1/modules/acme/taken/aws/1.0.0');
    const gone = await admin.send(
      'POST',
      moduleAt('acme/taken/aws', '/versions/1.0.0/publish'),
      publishing(smallModule()),
    );
    expect(gone.json).toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining("can't be reused"),
      conflict: { reason: 'created', current: null },
    });
  });

  test('with a lost answer succeeds if the stored version is the sent one', async () => {
    let writes = 0;
    modules.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return;
      writes += 1;
      modules.proxy.cutNext = 0;
    };
    const made = await publish(admin, 'acme/lost/aws/1.0.0', net);
    expect([made.json['archive'], writes]).toEqual([{ size: net.length, sha256: sha256(net) }, 1]);
  });

  test.each([
    ['and nobody can be asked', true],
    ['and it is not there', false],
  ])('has an unknown outcome when cut off, %s', async (_how, isDown) => {
    modules.proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PUT ')) return;
      if (isDown) modules.proxy.fault = { kind: 'hang up' };
      modules.proxy.drop();
    };
    const at = moduleAt('acme/unknown/aws', '/versions/1.0.0');
    expect(codeOf(await admin.send('POST', `${at}/publish`, publishing(large)))).toEqual([
      502,
      'outcome-unknown',
    ]);
    modules.proxy.fault = { kind: 'none' };
    expect(codeOf(await admin.send('GET', at))).toEqual([404, 'not-found']);
  });
});

test('an archive can be read without publishing it', async () => {
  const lines = asked(modules);
  expect((await readArchive(admin)).json).toMatchObject({
    size: net.length,
    sha256: sha256(net),
    content: {
      from: 'archive',
      reason: '',
      root: { readme: expect.stringContaining('# Net'), inputs: [{ name: 'size' }] },
      submodules: [{ path: 'modules/peer' }],
    },
  });
  expect((await readArchive(admin, Buffer.from('x'))).json).toMatchObject({
    code: 'invalid-request',
    fields: [{ path: 'archive' }],
  });
  const large = await admin.send('POST', `${modulesApi}/archive`, {
    body: { archive: 'x'.repeat(14_000_000) },
  });
  expect(large.json).toMatchObject({
    fields: [{ path: 'archive', message: 'The archive is larger than 10 MiB.' }],
  });
  const elsewhere = '/api/environments/none/modules/archive';
  expect(codeOf(await admin.send('POST', elsewhere, { body: { archive: 'eA==' } }))).toEqual([
    404,
    'not-found',
  ]);
  expect(codeOf(await modules.console.browser().send('POST', `${modulesApi}/archive`, { body: {} }))).toEqual(
    [401, 'unauthenticated'],
  );
  expect(new Set(lines)).toEqual(new Set(['GET /v1/tokens/self']));
});

test('limits how many archives of a user wait to be read, and says when to retry the next one', async () => {
  // The parser takes quadratic time for this archive.
  const slow = archive({ 'main.tf': `a = <<-EOT\n${'  ${a}\n'.repeat(6_000)}EOT\n` });
  // One browser has only a few connections.
  const pages = [admin, ...(await Promise.all(Array.from({ length: 4 }, () => modules.signedIn())))];
  const asked = [slow, ...Array<Buffer>(39).fill(net)].map((bytes, at) =>
    readArchive(pages[at % 5] ?? admin, bytes),
  );
  // On a busy machine the slow one may time out.
  const [, ...answers] = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { json } of refused)
    expect(json).toMatchObject({
      code: 'rate-limited',
      detail: '24 of your archives are waiting to be read. Send this one when they are done.',
      retryAfterSeconds: 30,
    });
});

test("holds two large bodies of a user at once, whatever their role, and delays only that user's others", async () => {
  const reader = await modules.signedIn('read-only');
  const operator = await modules.signedIn('operator');
  // From now on, everyone whose body is read waits for the registry.
  modules.proxy.fault = { kind: 'silence' };
  modules.proxy.drop();
  // One browser has only a few connections.
  const pages = Array.from({ length: 4 }, () =>
    Object.assign(modules.console.browser(), { cookie: reader.cookie }),
  );
  const refused = Promise.withResolvers<BrowserAnswer>();
  const sent = Array.from({ length: 30 }, async (_, at) => {
    const answer = await readArchive(pages[at % 4] ?? reader, Buffer.alloc(2 ** 20));
    if (answer.status === 429) refused.resolve(answer);
    return answer.status;
  });
  expect((await refused.promise).json).toMatchObject({
    code: 'rate-limited',
    detail: '24 of your large requests are already waiting. Send this one when they are done.',
    retryAfterSeconds: 30,
  });
  // It isn't JSON, which shows only when it is read.
  const noJson = { body: Buffer.alloc(2 ** 20 + 1) };
  expect(codeOf(await operator.send('POST', `${modulesApi}/archive`, noJson))).toEqual([
    400,
    'invalid-request',
  ]);
  modules.proxy.fault = { kind: 'none' };
  modules.proxy.drop();
  const statuses = await Promise.all(sent);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4);
});
