import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { paced } from '@gatehouse/service-kit/slices';
import type { ChecksumType } from '../domain/checksum.ts';

/** The checksum of a stream's bytes, in lower-case hexadecimal. @throws the stream's errors */
export async function digestOf(stream: Readable, type: ChecksumType): Promise<string> {
  const hash = createHash(type);
  for await (const chunk of paced(stream as AsyncIterable<Uint8Array>)) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}
