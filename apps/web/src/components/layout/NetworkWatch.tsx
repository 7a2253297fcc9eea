import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { retryParts, useIsPartMissing } from '@gatehouse/ui/lazy';
import { useSyncExternalStore } from 'react';

/** Reports a lost network or a missing part of the page. In the shell, as it couldn't be loaded then. */
export function NetworkWatch() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const isPartMissing = useIsPartMissing();
  if (isOnline && !isPartMissing) return null;
  return (
    <div className="border-b border-line px-4 py-2">
      {isOnline ? (
        <Banner
          tone="warn"
          title="Part of this page couldn't be loaded"
          actions={
            <Button size={28} onPress={retryParts}>
              Retry
            </Button>
          }
        >
          Missing parts are retried every 30 seconds.
        </Banner>
      ) : (
        <Banner tone="warn" title="You are offline">
          You can&apos;t save until the network is back.
        </Banner>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
