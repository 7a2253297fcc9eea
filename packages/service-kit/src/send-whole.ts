import { Transform } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { clientLeft } from './http-error.ts';
import { ObjectMissing, type ByteRange, type ObjectStore } from './object-store/object-store.ts';
import { transferTurn } from './slices.ts';

/**
 * Opens an object for an answer, and waits for its store as long as the client waits for the answer.
 * @param missing the error if the object has been replaced or deleted since it was looked up
 * @throws HttpError 499 if the client has left; `missing`; StoreUnavailable
 */
export async function openFor(
  connection: Writable,
  store: Pick<ObjectStore, 'read'>,
  key: string,
  missing: () => Error,
  range?: ByteRange,
): Promise<Readable> {
  const left = new AbortController();
  const leave = (): void => {
    left.abort(clientLeft());
  };
  connection.once('close', leave);
  if (connection.closed) leave();
  try {
    return await store.read(key, range, left.signal);
  } catch (error) {
    left.signal.throwIfAborted();
    throw error instanceof ObjectMissing ? missing() : error;
  } finally {
    connection.off('close', leave);
  }
}

/**
 * Sends a body of announced length and closes its source. A client may close the connection once it has every byte,
 * even before the source has ended; the body then counts as sent.
 * @param length of the body, in bytes
 * @returns whether every byte was handed to the connection; false if the client left before that
 * @throws Error if the source fails, ends early or is too long; the connection is destroyed, so that the client notices
 */
export async function sendWhole(source: Readable, connection: Writable, length: number): Promise<boolean> {
  let handed = 0;
  // A source also closes when the connection does, which is not its failure.
  let failed = source.destroyed && !connection.destroyed;
  source.once('error', () => (failed ||= !connection.destroyed));
  const within = new Transform({
    async transform(chunk: Uint8Array, _encoding, done) {
      await transferTurn();
      // The client would read bytes beyond the length as the answer to its next request.
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
    // Ending the response normally would leave the client waiting for the rest until its connection times out.
    if (failed) throw new Error(`The body ended after ${handed} of ${length} bytes`);
    connection.end();
    await finished(connection);
  } catch (error) {
    // `pipeline` leaves its source open when the client is already gone. A file handle that nobody closes ends the
    // process when it is garbage-collected.
    source.destroy();
    connection.destroy();
    if (failed && handed < length) throw error;
  }
  return handed >= length;
}
