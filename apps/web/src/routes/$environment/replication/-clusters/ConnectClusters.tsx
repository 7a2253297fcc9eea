import { Card } from '@gatehouse/ui/card';
import { ConnectHere } from '#components/errors/ConnectHere.tsx';
import type { Cluster } from './cluster.ts';

/** Where the person is not connected, the way to be: their servers tell anybody a little, and do nothing for them. */
export function ConnectClusters({ clusters }: { clusters: readonly Cluster[] }) {
  return clusters
    .filter((cluster) => cluster.mode !== 'unread' && !cluster.isSignedIn)
    .map(({ place }) => (
      <Card key={place.id}>
        <ConnectHere
          environment={place.id}
          service="secrets"
          title={`Connect to the secrets server of ${place.name}`}
          detail="Until you are connected it tells you less, and nothing can be changed or compared there."
        />
      </Card>
    ));
}
