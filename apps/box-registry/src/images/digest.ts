import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { paced } from '@gatehouse/service-kit/slices';
import type { ChecksumType } from '../domain/checksum.ts';

/** The checksum of a stream's bytes, in lower-case hexadecimal. @throws the signal's reason */
export async function digestOf(stream: Readable, type: ChecksumType, signal: AbortSignal): Promise<string> {
  const hash = createHash(type);
  for await (const chunk of paced(stream as AsyncIterable<Uint8Array>)) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
