import { Transform } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

/**
 * Sends a body whose length was announced, and closes its source. A client that has every byte may close the
 * connection before the source has said that nothing follows: the body is whole all the same.
 * @param length of the body in bytes
 * @returns whether every byte was handed to the connection; false when the client left before that
 * @throws Error of a source that failed, ended early or did not end; the connection is destroyed, so that the client sees it
 */
export async function sendWhole(source: Readable, connection: Writable, length: number): Promise<boolean> {
  let handed = 0;
  // A source also closes because its connection did, and then it hasn't failed.
  let failed = source.destroyed && !connection.destroyed;
  source.once('error', () => (failed ||= !connection.destroyed));
  const within = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      // What is beyond the length would be read as the answer to the client's next request.
      failed ||= handed + chunk.byteLength > length;
      if (failed) {
        done(new Error(`The body did not end after ${length} bytes`));
        return;
      }
      handed += chunk.byteLength;
      done(null, chunk);
    },
  });
  try {
    await pipeline(source, within, connection, { end: false });
    failed = handed < length;
    // An end would leave the client waiting for the rest until its connection times out.
    if (failed) throw new Error(`The body ended after ${handed} of ${length} bytes`);
    connection.end();
    await finished(connection);
  } catch (error) {
    // A pipeline leaves its source open when the client is gone before it begins. A file that nobody closes ends the
    // process when it is collected.
    source.destroy();
    connection.destroy();
    if (failed && handed < length) throw error;
  }
  return handed >= length;
}
