/**
 * Operations whose harm depends on stored state. Each is judged during its work, by the state that it changes. None has
 * another way to ask for less than its endpoint declares, and none can write at a service before.
 */
import { allEndpoints, type EndpointName } from '@gatehouse/api-types/console/endpoints';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#api/operations.ts';
import { boxAt, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { engineAt, startCloud, type CloudConsole } from '#test/cloud.ts';
import { confirmAs } from '#test/console.ts';
import { answering } from '#test/fault-proxy.ts';
import { act, moveOnce, planned, seedBox, startSource, type MoveSource } from '#test/moves.ts';
import {
  beginUpload,
  imageOf,
  picked,
  putImage,
  runIn,
  runsApi,
  sendAll,
  shownRevision,
  startRun,
  uploadIn,
} from '#test/publish.ts';
import { secretsApi } from '#test/secrets.ts';

let boxes: BoxesConsole;
let source: MoveSource;
let secrets: CloudConsole;

beforeAll(async () => {
  source = await startSource();
  [boxes, secrets] = await Promise.all([
    startBoxes({ kind: 'production', moves: { sources: [source.url] } }),
    startCloud({ kind: 'production' }),
  ]);
});
afterAll(async () => {
  await Promise.all([boxes[Symbol.asyncDispose](), secrets[Symbol.asyncDispose]()]);
  await source[Symbol.asyncDispose]();
});
afterEach(() => {
  delete boxes.proxy.onRequest;
  delete secrets.proxy.onRequest;
});

type Call = () => Promise<BrowserAnswer>;
type Prepare = (page: Browser, name: string) => Promise<Call>;

const url = 'https://images.example.com/other.box';
const versionAt = (box: string) => boxAt(`admin/${box}`, '/versions/1.0.0');
const providerAt = (box: string) => `${versionAt(box)}/providers/virtualbox/unknown`;

/** A private box with a released version, whose image the registry has. */
async function released(name: string): Promise<void> {
  const at = `/api/v1/box/admin/${name}`;
  const { direct } = boxes;
  await direct.post('/api/v1/boxes', { box: { username: 'admin', name, is_private: true } });
  await direct.post(`${at}/versions`, { version: { version: '1.0.0' } });
  await direct.post(`${at}/version/1.0.0/providers`, { provider: { name: 'virtualbox' } });
  await putImage(boxes, name, imageOf(5000));
  await direct.put(`${at}/version/1.0.0/release`, {});
}

/** Changes a record at its current revision. */
function changing(path: (name: string) => string, body: object): Prepare {
  return async (page, name) => {
    await released(name);
    const revision = String((await page.send('GET', path(name))).json['revision']);
    return () => page.send('PATCH', path(name), { revision, body });
  };
}

/** A step of another run, on the existing version. @param kind the source of its provider */
function publishing(
  kind: 'image' | 'url',
  step: (run: string, provider: string) => [string, object],
): Prepare {
  return async (page, name) => {
    await released(name);
    const create = { short_description: '', description: '', is_private: false };
    const source = kind === 'url' ? { kind, url } : { kind };
    const body = {
      box: { username: 'admin', name, create },
      version: { version: '1.0.0', description: '' },
      providers: [{ name: 'virtualbox', source, checksum: '', checksum_type: null }],
    };
    const run = runIn(await page.send('POST', runsApi, { body }));
    const [path, wish] = step(`${runsApi}/${run.id}`, run.providers[0]?.id ?? '');
    for (const before of path.endsWith('/box') ? [] : ['box', 'version'])
      await page.send('POST', `${runsApi}/${run.id}/${before}`, { body: { existing: 'use' } });
    const revision = 'existing' in wish ? await shownRevision(page, path) : undefined;
    return () => page.send('POST', path, { body: { ...wish, ...(revision !== undefined && { revision }) } });
  };
}

/** A move that adds an architecture to a released version. @param step what is done before, in another session */
function moving(
  what: 'start' | 'resume' | 'retry',
  before: (other: Browser, id: string) => Promise<unknown>,
): Prepare {
  return async (page, name) => {
    await released(name);
    const images = [{ architecture: 'arm64', image: imageOf(5000) }];
    await seedBox(source, name, [{ version: '1.0.0', images }]);
    const { id } = await planned(page, source, [`admin/${name}`]);
    const other = await boxes.signedIn();
    await confirmAs(other, testPassword);
    await before(other, id);
    const body = { token: '', ...(what === 'retry' && { item: null }) };
    return () => act(page, id, what, body);
  };
}

/** Settings of a secret with three versions, or of its engine. */
function keeping(method: 'PUT' | 'PATCH', path: (name: string) => string, max_versions: number): Prepare {
  return async (page, name) => {
    await secrets.direct.write(`sys/mounts/${name}`, { type: 'kv', options: { version: '2' } });
    for (const count of [1, 2, 3]) await secrets.direct.write(`${name}/data/kept`, { data: { count } });
    const { revision, cas_required, delete_version_after } = (await page.send('GET', path(name))).json;
    const settings = { cas_required, delete_version_after };
    const isWhole = method === 'PUT' && path(name).includes('/metadata/');
    const body = {
      max_versions,
      ...(method === 'PUT' && settings),
      ...(isWhole && { custom_metadata: {} }),
    };
    return () => page.send(method, path(name), { revision: String(revision), body });
  };
}
const metadataAt = (mount: string) => `${secretsApi}/mounts/${mount}/metadata/kept`;

/** A call of each operation that does the declared harm. */
const harmful: Readonly<Partial<Record<EndpointName, Prepare>>> = {
  'boxes.update': changing((name) => boxAt(`admin/${name}`), { is_private: false }),
  'boxVersions.update': changing(versionAt, { version: '1.0.1' }),
  'boxProviders.update': changing(providerAt, { checksum: 'a'.repeat(64), checksum_type: 'sha256' }),
  'boxProviders.create': async (page, name) => {
    await released(name);
    const which = { name: 'virtualbox', architecture: 'arm64', is_default: true };
    const body = { ...which, url, checksum: '', checksum_type: null };
    return () => page.send('POST', `${versionAt(name)}/providers`, { body });
  },
  'publishRuns.publishBox': publishing('image', (run) => [`${run}/box`, { existing: 'update' }]),
  'publishRuns.publishProvider': publishing('url', (run, provider) => [
    `${run}/providers/${provider}`,
    { existing: 'update' },
  ]),
  'publishUploads.begin': publishing('image', (run, provider) => [
    `${run}/providers/${provider}/upload`,
    picked(imageOf(6000, 7)),
  ]),
  'publishUploads.deliver': async (page, name) => {
    const run = await startRun(page, name);
    const image = imageOf(6000, 7);
    const begun = await beginUpload(page, run, image);
    await putImage(boxes, name, imageOf(5000));
    await sendAll(page, begun.path, image);
    await uploadIn(page, run.id, ['failed']);
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload/deliver`;
    return () => page.send('POST', path, { body: {} });
  },
  'moves.start': moving('start', () => Promise.resolve()),
  'moves.resume': moving('resume', async (other, id) => {
    source.proxy.fault = { kind: 'silence' };
    source.proxy.drop();
    await act(other, id, 'start', { token: '' });
    expect((await act(other, id, 'pause')).status).toBe(200);
    source.proxy.fault = { kind: 'none' };
    source.proxy.drop();
  }),
  'moves.retry': moving('retry', async (other, id) => {
    source.proxy.fault = answering(404);
    source.proxy.drop();
    await act(other, id, 'start', { token: '' });
    expect(await moveOnce(other, id, ['done'])).toMatchObject({ pieces: { failed: 1 } });
    source.proxy.fault = { kind: 'none' };
    source.proxy.drop();
  }),
  'secretMetadata.update': keeping('PUT', metadataAt, 2),
  'secretMetadata.patch': keeping('PATCH', metadataAt, 2),
  'secretEngines.update': keeping('PUT', (mount) => `${secretsApi}/mounts/${mount}/settings`, 2),
  'cloudEngines.updateRoot': async (page) => {
    const { revision, region, iam_endpoint, sts_endpoint } = (await page.send('GET', engineAt('/root'))).json;
    const keys = { access_key: 'AKIAOTHEROTHEROTHER0', secret_key: 's'.repeat(40) };
    const body = { ...keys, region, iam_endpoint, sts_endpoint, max_retries: 0 };
    return () => page.send('PUT', engineAt('/root'), { revision: String(revision), body });
  },
  'secretTransfers.transfer': async (page, name) => {
    for (const count of [1, 2]) await secrets.direct.write(`secret/data/${name}`, { data: { count } });
    const [from, to] = [name, `${name}-moved`].map((path) => ({ mount: 'secret', path }));
    const body = { kind: 'secret', from, to, mode: 'move', versions: 'latest' };
    return () => page.send('POST', `${secretsApi}/transfer`, { body });
  },
};

describe('an operation whose harm depends on what is stored', () => {
  const judging = allEndpoints.filter(({ name }) => operations[name].harm === 'by stored state');

  test('has a harmful call here', () => {
    expect(judging.map(({ name }) => name).toSorted()).toEqual(Object.keys(harmful).toSorted());
  });

  test.each(judging)(
    '$name: asks before it writes, and is recorded when it does',
    async ({ name, audit }) => {
      const live = /^(?:box|publish|moves)/.test(name) ? boxes : secrets;
      const page = await live.signedIn();
      const call = await harmful[name]?.(page, name.replace('.', '-').toLowerCase());
      if (call === undefined) throw new Error(`${name} has no harmful call`);
      const written: string[] = [];
      live.proxy.onRequest = (bytes) => {
        const line = /^(?:POST|PUT|PATCH|DELETE) \S+/.exec(bytes.toString('latin1'))?.[0];
        if (line !== undefined && !line.endsWith('/sys/capabilities-self')) written.push(line);
      };
      const recorded = async (): Promise<number> => {
        const path = `/api/environments/test/activity?action=${String(audit)}`;
        return ((await page.send('GET', path)).json['items'] as readonly unknown[]).length;
      };
      const before = await recorded();
      expect((await call()).json).toMatchObject({ code: 'confirmation-required', status: 403 });
      expect(written).toEqual([]);
      expect(await recorded()).toBe(before);
      await confirmAs(page, testPassword);
      const answer = await call();
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      expect(await recorded()).toBeGreaterThan(before);
    },
  );
});
