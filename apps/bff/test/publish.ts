import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { publishRun, type PublishRun } from '@gatehouse/api-types/console/publish';
import { upload, type Upload } from '@gatehouse/api-types/console/publish-uploads';
import { expect } from 'vitest';
import { boxAt, type BoxesConsole } from './boxes.ts';
import type { Browser, BrowserAnswer } from './browser.ts';

/** Path of publishing runs. */
export const runsApi = '/api/environments/test/publish-runs';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Pseudorandom bytes of a seed. */
export function imageOf(size: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(size);
  let state = seed;
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  return bytes;
}

/** What a page says about a file. */
export const picked = (image: Buffer, name = 'package.box') => ({
  name,
  size: image.length,
  last_modified: 1_700_000_000_000,
  fingerprint: sha256(image),
});

/** Releases a run's version with its current revision at the registry. */
export async function releaseRun(page: Browser, { id, box, version }: PublishRun): Promise<BrowserAnswer> {
  const at = boxAt(`${box?.username}/${box?.name}`, `/versions/${version?.version}`);
  const revision = String((await page.send('GET', at)).json['whole_revision']);
  return page.send('POST', `${runsApi}/${id}/release`, { body: { revision } });
}

interface PlannedProvider {
  readonly name: string;
  readonly url?: string;
  readonly checksum?: string;
}

/** A run whose box, version and providers are in the registry. */
export async function startRun(
  page: Browser,
  box: string,
  providers: readonly PlannedProvider[] = [{ name: 'virtualbox' }],
  version = '1.0.0',
  username = 'admin',
): Promise<PublishRun> {
  const made = await page.send('POST', runsApi, {
    body: {
      box: {
        username,
        name: box,
        create: { short_description: '', description: '', is_private: true },
      },
      version: { version, description: '' },
      providers: providers.map(({ name, url, checksum = '' }) => ({
        name,
        source: url === undefined ? { kind: 'image' } : { kind: 'url', url },
        checksum,
        checksum_type: checksum === '' ? null : 'sha256',
      })),
    },
  });
  const run = runIn(made);
  for (const step of ['box', 'version', ...run.providers.map(({ id }) => `providers/${id}`)]) {
    runIn(await page.send('POST', `${runsApi}/${run.id}/${step}`, { body: {} }));
  }
  return readRun(page, run.id);
}

/** The run of an answer that should contain one. */
export function runIn(answer: BrowserAnswer): PublishRun {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return publishRun.parse(answer.json);
}

/** Carries out a step whose record exists. @returns the revision that it shows */
export async function shownRevision(page: Browser, path: string): Promise<string> {
  const { box, version, providers } = runIn(await page.send('POST', path, { body: {} }));
  const shown = [box, version, ...providers][
    ['box', 'version', ...providers.map(({ id }) => id)].indexOf(path.slice(path.lastIndexOf('/') + 1))
  ];
  return shown?.stored?.revision ?? expect.fail(`${path} found nothing to decide about`);
}

export async function readRun(page: Browser, id: string): Promise<PublishRun> {
  return runIn(await page.send('GET', `${runsApi}/${id}`, { headers: { 'x-gatehouse-poll': '1' } }));
}

/** Starts an upload for the first provider of a run, or another one. */
export async function beginUpload(
  page: Browser,
  run: PublishRun,
  image: Buffer,
  provider = 0,
): Promise<Upload> {
  const path = `${runsApi}/${run.id}/providers/${run.providers[provider]?.id}/upload`;
  const answer = await page.send('POST', path, { body: picked(image) });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return upload.parse(answer.json);
}

const tus = { 'tus-resumable': '1.0.0' };

/** Sends bytes from an offset, as a page does. */
export function patch(
  page: Browser,
  path: string,
  offset: number | string,
  bytes: Buffer,
): Promise<BrowserAnswer> {
  return page.send('PATCH', path, {
    body: bytes,
    headers: {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
  });
}

/** The offset at which an upload continues. */
export async function offsetOf(page: Browser, path: string): Promise<number> {
  const answer = await page.send('HEAD', path, { headers: tus });
  expect(answer.status).toBe(200);
  return Number(answer.headers['upload-offset']);
}

/** Sends a whole file in chunks. */
export async function sendAll(page: Browser, path: string, image: Buffer, chunk = 1_000_000): Promise<void> {
  for (let at = 0; at < image.length; at += chunk) {
    const answer = await patch(page, path, at, image.subarray(at, at + chunk));
    expect([answer.status, answer.text]).toEqual([204, '']);
  }
}

/** The upload of a run's provider once it is in one of these states. */
export async function uploadIn(
  page: Browser,
  run: string,
  states: readonly Upload['state'][],
  provider = 0,
  timeout = 15_000,
): Promise<Upload> {
  const read = async () => (await readRun(page, run)).providers[provider]?.upload ?? null;
  await expect
    .poll(async () => states.includes((await read())?.state ?? 'receiving'), {
      timeout,
      interval: 20,
    })
    .toBe(true);
  const found = await read();
  if (found === null) throw new Error('the provider has no upload');
  return found;
}

/** The SHA-256 of an image that a client of the registry gets, or the status of the answer. */
export async function downloaded(
  { server, direct }: Pick<BoxesConsole, 'server' | 'direct'>,
  box: string,
  provider = 'virtualbox',
): Promise<string> {
  const url = `${server.url}/admin/boxes/${box}/versions/1.0.0/providers/${provider}.box`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${direct.token}` } });
  return answer.status === 200 ? sha256(Buffer.from(await answer.arrayBuffer())) : String(answer.status);
}

/** Stores an image in the registry without the console, like another client. */
export async function putImage(
  { direct }: Pick<BoxesConsole, 'direct'>,
  box: string,
  image: Buffer,
  provider = 'virtualbox',
): Promise<void> {
  const path = `/api/v1/box/admin/${box}/version/1.0.0/provider/${provider}/upload`;
  const { body } = await direct.get(path);
  await fetch(String(body['upload_path']), { method: 'PUT', body: new Uint8Array(image) });
}

/** Pseudorandom numbers of a seed, from 0 to below a limit. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Sends a request whose body is cut off after some
 * bytes. @param meanwhile awaited before it is cut off; its argument resolves when the console has cut the connection
 */
export async function sendCut(
  origin: string,
  page: Browser,
  path: string,
  { offset, bytes, cutAt }: { readonly offset: number; readonly bytes: Buffer; readonly cutAt: number },
  meanwhile?: (closed: Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  socket.write(
    [
      `PATCH ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'X-Gatehouse: console',
      'Sec-Fetch-Site: same-origin',
      `Cookie: ${page.cookie ?? ''}`,
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
      `Upload-Offset: ${offset}`,
      `Content-Length: ${bytes.length}`,
      '',
      '',
    ].join('\r\n'),
  );
  socket.write(bytes.subarray(0, cutAt));
  socket.resume();
  await meanwhile?.(closed);
  socket.end();
  await closed;
}
