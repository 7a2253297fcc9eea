import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Sends a body whose length was announced. A client that has every byte may close the connection before the source has
 * said that nothing follows: the body is whole all the same. The source is closed in any case.
 * @param length of the body in bytes
 * @throws Error of the source, or of a connection that ended before every byte was handed to it
 */
export async function sendWhole(source: Readable, connection: Writable, length: number): Promise<void> {
  let handed = 0;
  source.on('data', (chunk: Uint8Array) => (handed += chunk.byteLength));
  try {
    await pipeline(source, connection);
  } catch (error) {
    // A pipeline leaves its source open when the client is gone before it begins. A file that nobody closes ends the
    // process when it is collected.
    source.destroy();
    if (handed < length) throw error;
  }
}
