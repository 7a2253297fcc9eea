import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { useEffect, useEffectEvent, useRef } from 'react';
import { usePickedImages } from '#lib/uploads/picked-files.ts';
import { usePublishWrites } from '#queries/publish.ts';
import { lateChecksum, planWithChecksum, type LateChecksum } from './late-checksums.ts';

/** Writes checksums into their plans as soon as they are computed; the delivery holds them against the bytes. */
export function useLateChecksums(environment: string, runs: readonly PublishRunSummary[]): void {
  const writes = usePublishWrites(environment);
  const tried = useRef(new Set<string>());
  const late = lateChecksum(runs, usePickedImages());
  const write = useEffectEvent((checksum: LateChecksum) => {
    if (tried.current.has(checksum.key)) return;
    tried.current.add(checksum.key);
    writes
      .reload(checksum.run)
      .then((run) => writes.plan(run, planWithChecksum(run, checksum)))
      .catch(() => {
        // The console computes it as well while it delivers; both are compared then.
      });
  });
  const key = late?.key;
  useEffect(() => {
    if (key !== undefined && late?.key === key) write(late);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for what is late
  }, [key]);
}
