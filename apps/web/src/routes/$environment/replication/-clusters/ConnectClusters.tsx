import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { useState } from 'react';
import { ConnectHere } from '#components/errors/ConnectHere.tsx';
import type { Cluster, Place } from './cluster.ts';

/** Offers to connect to clusters where the user isn't signed in. Those report only their basic status. */
export function ConnectClusters({ clusters }: { clusters: readonly Cluster[] }) {
  return clusters
    .filter((cluster) => cluster.mode !== 'unread' && !cluster.isSignedIn)
    .map(({ place }) => <ConnectOne key={place.id} place={place} />);
}

/** The form takes the focus, so it opens only on request. */
function ConnectOne({ place }: { place: Place }) {
  const [isAsked, setAsked] = useState(false);
  const title = `Connect to the secrets server of ${place.name}`;
  const detail =
    "Until you connect, the lag and logs of this cluster aren't shown, and you can't change or compare it.";
  return isAsked ? (
    <Card>
      <ConnectHere environment={place.id} service="secrets" title={title} detail={detail} />
    </Card>
  ) : (
    <Banner
      tone="info"
      title={`You are not connected to the secrets server of ${place.name}`}
      announce="none"
      actions={
        <Button
          size={28}
          aria-label={title}
          onPress={() => {
            setAsked(true);
          }}
        >
          Connect
        </Button>
      }
    >
      {detail}
    </Banner>
  );
}
