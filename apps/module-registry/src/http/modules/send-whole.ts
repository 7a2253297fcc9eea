import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a body whose length was announced. Whoever has every byte may close the connection before the source has said
 * that nothing follows: the body is whole all the same.
 * @param length of the body in bytes
 * @throws Error of the source, or of a connection that ended before every byte was handed to it
 */
export async function sendWhole(source: Readable, connection: Writable, length: number): Promise<void> {
  let handed = 0;
  source.on('data', (chunk: Uint8Array) => (handed += chunk.byteLength));
  try {
    await pipeline(source, connection);
  } catch (error) {
    if (handed < length) throw error;
  }
}
