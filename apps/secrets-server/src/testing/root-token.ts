import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './server.ts';

/** The server's root key, from its folder. */
export function rootKey({ dataDir }: TestServer): string {
  const ring = JSON.parse(readFileSync(join(dataDir, 'secrets-server-keys.json'), 'utf8')) as {
    active: string;
    keys: Record<string, string>;
  };
  return ring.keys[ring.active] ?? '';
}

/** Decrypts a generated root token with its one-time pad. */
export function shownToken(encoded: unknown, otp: string): string {
  return Buffer.from(
    Buffer.from(String(encoded), 'base64').map((byte, index) => byte ^ otp.charCodeAt(index)),
  ).toString('latin1');
}

export async function rootToken(server: TestServer): Promise<string> {
  const { otp, nonce } = (await server.anonymous.write('sys/generate-root/attempt')).body;
  const done = await server.anonymous.write('sys/generate-root/update', { key: rootKey(server), nonce });
  return shownToken(done.body['encoded_token'], String(otp));
}
