/** What the disk can do at most. */
import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that one write of a 1 KiB secret leaves in the log of the database, roughly: the pages that it touches. */
const recordBytes = 4096;

/**
 * Records a second that are appended to a file and on the disk before the next are written.
 * @param folder on the disk in question
 * @param group records that share one sync
 */
export function durableRecords(folder: string, group: number, seconds: number): number {
  const file = join(folder, 'sync');
  const descriptor = openSync(file, 'w');
  const records = Buffer.alloc(recordBytes * group, 'x');
  try {
    const started = performance.now();
    const end = started + seconds * 1000;
    let done = 0;
    let now = started;
    // From its beginning again now and then, as a log that is folded into its database.
    for (let at = 0; now < end; at = at > 4_000_000 ? 0 : at + records.length) {
      writeSync(descriptor, records, 0, records.length, at);
      fdatasyncSync(descriptor);
      done += group;
      now = performance.now();
    }
    return done / ((now - started) / 1000);
  } finally {
    closeSync(descriptor);
    unlinkSync(file);
  }
}
