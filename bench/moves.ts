/**
 * An image moved from one box registry to another by the console, which checks it twice and syncs it on the way, against the
 * same image fetched and sent by curl: GET to a file, then PUT to the same registry. The two take turns, so that the
 * machine's mood falls on both alike; what counts is the ratio of the same round. Then many small images: how many a second.
 *
 *     npm run bench moves -- [--mebibytes 512] [--rounds 3] [--images 200]
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { request } from 'undici';
import { configurationText, environment, headersOfSession, password, signInToConsole } from './console.ts';
import { positive } from './options.ts';
import { freePorts, processes, ready } from './processes.ts';
import { sendImage } from './registry-upload.ts';
import { median } from './report.ts';

const { values } = parseArgs({
  options: {
    mebibytes: { type: 'string', default: '512' },
    rounds: { type: 'string', default: '3' },
    images: { type: 'string', default: '200' },
  },
});
const mebibyte = 2 ** 20;
const mebibytes = positive('mebibytes', values.mebibytes);
const rounds = positive('rounds', values.rounds);
const images = positive('images', values.images);
/** Of a small image. */
const smallMebibytes = 1;
/** How often it is looked whether a move is done: often enough to count, too seldom to be work. */
const pollEveryMs = 50;

await using running = await processes();
const port = await freePorts('source', 'here', 'console');
const [source, here] = await Promise.all([registry('source', port.source), registry('here', port.here)]);
const consoleUrl = `http://127.0.0.1:${port.console}`;
await writeFile(
  join(running.folder, 'gatehouse.yaml'),
  `${configurationText('boxes', here.url)}moves:\n  sources: ['${source.url}']\n`,
);
const console = running.start(['apps/bff/src/main.ts'], {
  GATEHOUSE_CONFIG: join(running.folder, 'gatehouse.yaml'),
  GATEHOUSE_DATA: join(running.folder, 'console'),
  GATEHOUSE_PORT: String(port.console),
});
await ready(`${consoleUrl}/healthz`);
const session = headersOfSession(await signInToConsole(consoleUrl, 'boxes'));
const curl = promisify(execFile);
const file = join(running.folder, 'image.box');

for (let round = 0; round < rounds; round += 1) await seed(source, `large-${round}`, 1, mebibytes);
await seed(source, 'small', images, smallMebibytes);
await makeProvider(here, 'direct', 'curl');

const seconds = { curl: [] as number[], move: [] as number[] };
const idle = (await console.spent()).memory;
for (let round = 0; round < rounds; round += 1) {
  seconds.curl.push(await timed(() => byCurl(round)));
  const move = await planned(`large-${round}`);
  seconds.move.push(await timed(() => copied(move)));
}
const many = await planned('small');
const small = await timed(() => copied(many));
const { mostMemory } = await console.spent();
const ratio = median(seconds.move.map((taken, round) => (seconds.curl[round] ?? taken) / taken));
const rate = (taken: readonly number[]): string => (mebibytes / median(taken)).toFixed(0).padStart(6);
process.stdout.write(`\nAn image of ${mebibytes} MiB from one registry to another, ${rounds} rounds
  curl: GET, then PUT      ${rate(seconds.curl)} MiB/s
  moved by the console     ${rate(seconds.move)} MiB/s   ${ratio.toFixed(2)} × curl
${images} images of ${smallMebibytes} MiB each
  moved by the console     ${(images / small).toFixed(1).padStart(6)} images/s
  The console takes ${((mostMemory - idle) / mebibyte).toFixed(0)} MiB at most above what it takes at rest (${(idle / mebibyte).toFixed(0)} MiB).
`);

interface Registry {
  readonly url: string;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function registry(name: string, at: number): Promise<Registry> {
  const url = `http://127.0.0.1:${at}`;
  running.start(['apps/box-registry/src/main.ts'], {
    GATEHOUSE_DATA: join(running.folder, name),
    GATEHOUSE_BOXES_PORT: String(at),
    GATEHOUSE_ADMIN_PASSWORD: password,
  });
  await ready(`${url}/health`);
  const { token } = await call<{ token: string }>(url, 'POST', '/api/v1/authenticate', {
    user: { login: 'admin', password },
  });
  return { url, token, headers: { authorization: `Bearer ${token}` } };
}

/** Makes a version of a box, and a provider of it. */
async function makeProvider({ url, headers }: Registry, box: string, name: string): Promise<string> {
  const at = `/api/v2/box/admin/${box}`;
  // What is there already is as good.
  await call(url, 'POST', '/api/v2/boxes', { name: box }, headers).catch(() => undefined);
  await call(url, 'POST', `${at}/versions`, { version: '1.0' }, headers).catch(() => undefined);
  await call(url, 'POST', `${at}/version/1.0/providers`, { name, architecture: 'amd64' }, headers);
  return `${at}/version/1.0/provider/${name}/amd64/upload`;
}

async function seed(to: Registry, box: string, count: number, size: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const path = await makeProvider(to, box, `p${index}`);
    const prepared = await call<{ upload_path: string }>(to.url, 'GET', path, undefined, to.headers);
    await sendImage(prepared.upload_path, size);
  }
  await call(to.url, 'PUT', `/api/v2/box/admin/${box}/version/1.0/release`, {}, to.headers);
}

async function byCurl(round: number): Promise<void> {
  const from = `${source.url}/admin/boxes/large-${round}/versions/1.0/providers/p0/amd64/vagrant.box`;
  await curl('curl', ['-sSf', '-H', `Authorization: Bearer ${source.token}`, '-o', file, from]);
  const { upload_path: to } = await call<{ upload_path: string }>(
    here.url,
    'GET',
    '/api/v2/box/admin/direct/version/1.0/provider/curl/amd64/upload',
    undefined,
    here.headers,
  );
  await curl('curl', ['-sSf', '-T', file, to]);
}

/** Plans a move of one box. @returns its path */
async function planned(box: string): Promise<string> {
  const moves = `/api/environments/${environment}/moves`;
  const wanted = [`admin/${box}`];
  const { id } = await call<{ id: string }>(
    consoleUrl,
    'POST',
    moves,
    { kind: 'boxes', address: source.url, token: source.token, wanted },
    session,
  );
  const path = `${moves}/${id}`;
  await resting(path, 'planned');
  return path;
}

async function copied(path: string): Promise<void> {
  await call(consoleUrl, 'POST', `${path}/start`, { token: source.token }, session);
  await resting(path, 'done');
}

async function resting(path: string, wanted: string): Promise<void> {
  for (;;) {
    const { state, pieces } = await call<{ state: string; pieces: { failed: number } }>(
      consoleUrl,
      'GET',
      path,
      undefined,
      session,
    );
    if (state === 'paused' || pieces.failed > 0) throw new Error(`The move is ${state}, and images failed.`);
    if (state === wanted) return;
    await sleep(pollEveryMs);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function call<Body>(
  origin: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const answer = await request(origin + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}
