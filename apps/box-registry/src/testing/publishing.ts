import { createHash } from 'node:crypto';
import type { Client, Wire } from '@gatehouse/service-kit/testing/client';

/** A provider created for a test. */
export interface TestProvider {
  readonly box: string;
  readonly version: string;
  /** The provider's path in the API. */
  readonly provider: string;
  /** The image's path. */
  readonly download: string;
}

/** Creates a box, a version and a provider. @throws Error if one is refused */
export async function createProvider(
  client: Client,
  name: string,
  fields: Wire = {},
  owner = 'admin',
): Promise<TestProvider> {
  const box = `/api/v1/box/${owner}/${name}`;
  const version = `${box}/version/1.0.0`;
  await must(client.post('/api/v1/boxes', { box: { username: owner, name, is_private: false } }));
  await must(client.post(`${box}/versions`, { version: { version: '1.0.0' } }));
  await must(client.post(`${version}/providers`, { provider: { name: 'virtualbox', ...fields } }));
  return {
    box,
    version,
    provider: `${version}/provider/virtualbox`,
    download: `/${owner}/boxes/${name}/versions/1.0.0/providers/virtualbox.box`,
  };
}

/** Requests an upload URL. */
export async function uploadPath(client: Client, { provider }: TestProvider): Promise<string> {
  const answer = await client.get(`${provider}/upload`);
  const { upload_path: path } = answer.body;
  if (typeof path !== 'string') throw new Error(`no upload_path: ${answer.text}`);
  return path;
}

/** Sends an image to an upload URL, like a client. */
export function send(path: string, image: Uint8Array): Promise<Response> {
  return fetch(path, { method: 'PUT', body: image as Uint8Array<ArrayBuffer> });
}

/** A checksum in hexadecimal. */
export function digest(type: string, bytes: Uint8Array): string {
  return createHash(type).update(bytes).digest('hex');
}

async function must(answer: ReturnType<Client['get']>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
}
