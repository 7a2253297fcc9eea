import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { useQuery } from '@tanstack/react-query';
import { useRef, useEffect, useEffectEvent } from 'react';
import { usePolling } from '#lib/polling.ts';
import { usePickedImages } from '#lib/uploads/picked-files.ts';
import { useSendings } from '#lib/uploads/sending.ts';
import { runsQuery, usePublishWrites } from '#queries/publish.ts';
import { lateChecksum, planWithChecksum, type LateChecksum } from './late-checksums.ts';
import { isUnderWay } from './transfer-words.ts';
import { askAgainAfter, transfersOf, type Transfer } from './tray-words.ts';

const noRuns: readonly PublishRunSummary[] = [];

/**
 * The user's transfers in an environment, started in any browser. Polled only while something may change
 * without the user, and read again when the page gets the focus.
 * @param isEnabled whether the environment has a box registry
 */
export function useTransfers(environment: string, isEnabled: boolean): readonly Transfer[] {
  const sendings = useSendings();
  const { data: runs } = useQuery({ ...runsQuery(environment), enabled: isEnabled });
  const watched = useRef(new Set<string>());
  for (const { providers } of runs ?? []) {
    for (const { upload } of providers) {
      if (upload !== null && isUnderWay(upload)) watched.current.add(upload.id);
    }
  }
  const transfers = transfersOf(runs ?? [], watched.current);
  useLateChecksums(environment, runs ?? noRuns);
  const seconds = askAgainAfter(transfers, sendings);
  usePolling(runsQuery(environment), seconds ?? 60, isEnabled && seconds !== undefined);
  return transfers;
}

/** Adds checksums to their plans once computed. The delivery compares them with the bytes. */
function useLateChecksums(environment: string, runs: readonly PublishRunSummary[]): void {
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
        // The console also computes it while delivering; then both are compared.
      });
  });
  const key = late?.key;
  useEffect(() => {
    if (key !== undefined && late?.key === key) write(late);
    // oxlint-disable-next-line react/exhaustive-deps -- the key identifies the late checksum
  }, [key]);
}
