import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { usePolling } from '#lib/polling.ts';
import { useSendings } from '#lib/uploads/sending.ts';
import { runsQuery } from '#queries/publish.ts';
import { isUnderWay } from './transfer-words.ts';
import { askAgainAfter, transfersOf, type Transfer } from './tray-words.ts';
import { useLateChecksums } from './use-late-checksums.ts';

const noRuns: readonly PublishRunSummary[] = [];

/**
 * The person's images that are on their way in an environment, whichever browser began them. It is asked again only while something
 * could have changed by itself, and when the person comes back to the page.
 * @param isEnabled whether the environment has a registry of boxes
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
