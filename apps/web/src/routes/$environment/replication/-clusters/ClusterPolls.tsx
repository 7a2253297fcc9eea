import { usePolling } from '#lib/polling.ts';
import { replicationQuery } from '#queries/replication.ts';
import { usePlacesWithSecrets } from './use-clusters.ts';

/** As often as heartbeats come. */
const everySeconds = 5;

/** Keeps what is known of the clusters of all environments up to date while the page is seen. */
export function ClusterPolls({ seconds = everySeconds }: { seconds?: number }) {
  return usePlacesWithSecrets().map(({ id }) => <ClusterPoll key={id} environment={id} seconds={seconds} />);
}

function ClusterPoll({ environment, seconds }: { environment: string; seconds: number }) {
  usePolling(replicationQuery(environment), seconds);
  return null;
}
