import { usePolling } from '#lib/polling.ts';
import { replicationQuery } from '#queries/replication.ts';
import { usePlacesWithSecrets } from './use-clusters.ts';

/** The interval of heartbeats. */
const everySeconds = 5;

/** Polls the clusters of all environments while the page is visible. */
export function ClusterPolls({ seconds = everySeconds }: { seconds?: number }) {
  return usePlacesWithSecrets().map(({ id }) => <ClusterPoll key={id} environment={id} seconds={seconds} />);
}

function ClusterPoll({ environment, seconds }: { environment: string; seconds: number }) {
  usePolling(replicationQuery(environment), seconds);
  return null;
}
