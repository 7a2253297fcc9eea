import { createHmac } from 'node:crypto';
import type { Snapshot as StoreSnapshot } from '@gatehouse/service-kit/store';
import type { Barrier } from '../../barrier.ts';
import type { Schema } from '../../schema.ts';
import { recordsOf } from '../records/records.ts';
import type { Digest, Packed, PathsFilter, Position } from '../replication-store.ts';
import { openPacked, packSealed, sizeOf } from './entry-codec.ts';
import type { SealedBytes, SealedChange } from './entry-codec.ts';

/** The approximate maximum size of a snapshot's chunk in bytes, which bounds the time that receiving one takes. */
const chunkBytes = 256 * 1024;

/**
 * All replicated records of a database snapshot, in chunks. Closes the snapshot at the end.
 * @param giveWay lets others continue
 */
export async function* chunksOf(
  moment: StoreSnapshot<Schema>,
  filter: PathsFilter | undefined,
  barrier: Barrier,
  giveWay: () => Promise<void>,
): AsyncGenerator<Packed> {
  try {
    let chunk: SealedChange<SealedBytes>[] = [];
    let bytes = 0;
    for (const record of recordsOf(moment, filter)) {
      await giveWay();
      if (record === undefined) continue;
      chunk.push(record);
      bytes += sizeOf(record);
      if (bytes < chunkBytes) continue;
      yield openPacked(packSealed(chunk), barrier);
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) yield openPacked(packSealed(chunk), barrier);
  } finally {
    moment.close();
  }
}

/** A digest of all replicated records of a database snapshot. */
export async function digestOf(
  moment: StoreSnapshot<Schema>,
  { seq, history }: Position,
  {
    barrier,
    key,
    filter,
    giveWay,
  }: {
    readonly barrier: Barrier;
    /** Of the replication set. */
    readonly key: Uint8Array;
    readonly filter: PathsFilter | undefined;
    /** Lets others continue. */
    readonly giveWay: () => Promise<void>;
  },
): Promise<Digest> {
  const hmac = createHmac('sha256', key);
  let records = 0;
  for (const record of recordsOf(moment, filter)) {
    await giveWay();
    if (record === undefined) continue;
    hmac.update(canonical(openPacked(packSealed([record]), barrier)));
    records += 1;
  }
  return { seq, epoch: history.at(-1)?.id ?? '', digest: hmac.digest('hex'), records };
}

/** A record as text that is the same on every cluster. */
function canonical({ changes, secrets }: Packed): string {
  return `${changes}${secrets.map((secret) => Buffer.from(secret).toString('base64')).join()}\n`;
}
