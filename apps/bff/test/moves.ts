/** Moves in tests: a second embedded registry as the source, and the calls of the console. */
import { move, moveItem, moveReportLine, moveVersion, type Move } from '@gatehouse/api-types/console/moves';
import { startServer, type TestServer } from '@gatehouse/box-registry/testing/server';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import { startBoxes, type BoxesConsole } from './boxes.ts';
import type { Browser, BrowserAnswer } from './browser.ts';
import type { TestConsoleOptions } from './console.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';
import { sha256 } from './publish.ts';

/** Path of moves. */
export const movesApi = '/api/environments/test/moves';

/** A registry that users move away from. */
export interface MoveSource extends AsyncDisposable {
  readonly server: TestServer;
  /** Between the console and the source, whose only known address this is. */
  readonly proxy: FaultProxy;
  readonly url: string;
  /** Its own client, as an administrator. */
  readonly direct: Client;
}

export async function startSource(): Promise<MoveSource> {
  let url = '';
  const server = await startServer({ publicUrl: () => url });
  const proxy = await faultProxy(server.port);
  url = `http://127.0.0.1:${proxy.port}`;
  return {
    server,
    proxy,
    url,
    direct: await server.as('administrator'),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A console with a registry, which may move from a source. */
export interface MovesConsole extends AsyncDisposable {
  readonly source: MoveSource;
  readonly here: BoxesConsole;
}

export async function startMoves(options: Partial<TestConsoleOptions> = {}): Promise<MovesConsole> {
  const source = await startSource();
  const here = await startBoxes({
    moves: { sources: [source.url] },
    ...options,
    bff: { retryDelaysMs: [10, 20, 40], ...options.bff },
  });
  return {
    source,
    here,
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await source[Symbol.asyncDispose]();
    },
  };
}

export interface SeededImage {
  readonly provider?: string;
  readonly architecture?: string;
  readonly isDefault?: boolean;
  /** The image's bytes or address. */
  readonly image: Buffer | string;
  readonly withChecksum?: boolean;
}

export interface SeededVersion {
  readonly version: string;
  readonly status?: 'unreleased' | 'active' | 'revoked';
  readonly images: readonly SeededImage[];
}

/** Creates a box of `admin` with everything in it. */
export async function seedBox(
  { direct }: Pick<MoveSource, 'direct'>,
  name: string,
  versions: readonly SeededVersion[],
  fields: object = {},
): Promise<void> {
  const box = { username: 'admin', name, is_private: false, short_description: `The box ${name}`, ...fields };
  const made = await direct.post('/api/v2/boxes', { box });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  for (const { version, status = 'active', images } of versions) {
    const at = `/api/v2/box/admin/${name}/version/${version}`;
    await direct.post(`/api/v2/box/admin/${name}/versions`, {
      version: { version, description: `Changes of ${version}` },
    });
    for (const {
      provider = 'virtualbox',
      architecture = 'amd64',
      isDefault,
      image,
      withChecksum = true,
    } of images) {
      const own = Buffer.isBuffer(image);
      const answer = await direct.post(`${at}/providers`, {
        provider: {
          name: provider,
          architecture,
          ...(isDefault !== undefined && { default_architecture: isDefault }),
          ...(!own && { url: image }),
          ...(own && withChecksum && { checksum: sha256(image), checksum_type: 'sha256' }),
        },
      });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      if (!own) continue;
      const { body } = await direct.get(`${at}/provider/${provider}/${architecture}/upload`);
      const sent = await fetch(String(body['upload_path']), { method: 'PUT', body: new Uint8Array(image) });
      expect(sent.status).toBe(200);
    }
    if (status !== 'unreleased') await direct.put(`${at}/release`, {});
    if (status === 'revoked') await direct.put(`${at}/revoke`, {});
  }
}

/** The move of an answer that should contain one. */
export function moveIn(answer: BrowserAnswer): Move {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return move.parse(answer.json);
}

/** The current state of a move. Reading it counts as activity, so that long moves don't end the session. */
export async function readMove(page: Browser, id: string): Promise<Move> {
  return moveIn(await page.send('GET', `${movesApi}/${id}`));
}

/** Calls an operation of a move. */
export function act(page: Browser, id: string, what: string, body?: object): Promise<BrowserAnswer> {
  return page.send('POST', `${movesApi}/${id}/${what}`, body === undefined ? {} : { body });
}

/** A move once it rests in one of these states. */
export async function moveOnce(
  page: Browser,
  id: string,
  states: readonly Move['state'][],
  timeout = 20_000,
): Promise<Move> {
  let found: Move | undefined;
  await expect
    .poll(
      async () => {
        found = await readMove(page, id);
        return states.includes(found.state) ? 'there' : `${found.state} ${found.pause?.detail ?? ''}`;
      },
      { timeout, interval: 30 },
    )
    .toBe('there');
  if (found === undefined) throw new Error('the move was not read');
  return found;
}

/** Starts a move and waits until it is planned. */
export async function planned(
  page: Browser,
  source: Pick<MoveSource, 'url'>,
  wanted: readonly string[],
  more: object = {},
  timeout?: number,
): Promise<Move> {
  const begun = await page.send('POST', movesApi, {
    body: { kind: 'boxes', address: source.url, token: '', wanted, ...more },
  });
  return moveOnce(page, moveIn(begun).id, ['planned', 'paused'], timeout);
}

/** Copies the chosen pieces, and waits until the move is done. */
export async function copied(page: Browser, id: string, token = '', timeout?: number): Promise<Move> {
  moveIn(await act(page, id, 'start', { token }));
  return moveOnce(page, id, ['done', 'paused'], timeout);
}

export async function itemsOf(page: Browser, id: string, query = ''): Promise<z.output<typeof moveItem>[]> {
  const answer = await page.send('GET', `${movesApi}/${id}/items${query}`);
  expect(answer.status).toBe(200);
  return z.parse(z.object({ items: z.array(moveItem) }), answer.json).items;
}

export async function versionsOf(
  page: Browser,
  id: string,
  name: string,
): Promise<z.output<typeof moveVersion>[]> {
  const [item] = await itemsOf(page, id, `?q=${encodeURIComponent(name)}`);
  const answer = await page.send('GET', `${movesApi}/${id}/items/${item?.id ?? ''}`);
  expect(answer.status).toBe(200);
  return z.parse(z.object({ versions: z.array(moveVersion) }), answer.json).versions;
}

export async function reportOf(page: Browser, id: string): Promise<z.output<typeof moveReportLine>[]> {
  const answer = await page.send('GET', `${movesApi}/${id}/report`);
  expect(answer.status).toBe(200);
  return answer.text
    .trim()
    .split('\n')
    .map((line) => moveReportLine.parse(JSON.parse(line)));
}

/** The SHA-256 of an image that clients of a registry get, or the status of the answer. */
export async function imageAt(
  server: Pick<TestServer, 'url'>,
  token: string | undefined,
  path: string,
): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, {
    headers: new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]),
  });
  return answer.status === 200 ? sha256(Buffer.from(await answer.arrayBuffer())) : String(answer.status);
}

/** Path at which clients get an image. */
export function imagePath(
  name: string,
  version: string,
  provider = 'virtualbox',
  architecture = 'amd64',
  owner = 'admin',
): string {
  return `/${owner}/boxes/${name}/versions/${version}/providers/${provider}/${architecture}/vagrant.box`;
}
