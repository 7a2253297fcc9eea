import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { useNow } from '@gatehouse/ui/time';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePolling } from '#lib/polling.ts';
import { sessionQuery } from '#queries/session.ts';
import { useSession } from '../environment/use-environment.ts';

/** How long before the session ends to warn, in ms. */
const idleWarningMs = 2 * 60_000;
const endWarningMs = 10 * 60_000;

/** Reports what concerns the page itself: a new version, a session that is about to end. */
export function SessionWatch() {
  const session = useSession();
  const queryClient = useQueryClient();
  const now = useNow();
  // The version that this page was loaded with. A different one means that the server was updated since.
  const [loadedVersion] = useState(session.version);
  const [hiddenVersion, setHiddenVersion] = useState<string>();
  usePolling(sessionQuery, 30);

  const idleMs = Date.parse(session.idle_expires_at) - now;
  const endMs = Date.parse(session.expires_at) - now;
  const banners = [];
  if (session.version !== loadedVersion && hiddenVersion !== session.version) {
    banners.push(
      <Banner
        key="version"
        tone="info"
        title="A new version of the console is available"
        actions={
          <Button
            size={28}
            onPress={() => {
              window.location.reload();
            }}
          >
            Reload
          </Button>
        }
        onClose={() => {
          setHiddenVersion(session.version);
        }}
      >
        This page is version {loadedVersion}, the server is {session.version}. Save your changes first.
      </Banner>,
    );
  }
  if (endMs > 0 && endMs < endWarningMs) {
    banners.push(
      <Banner key="end" tone="warn" title={`Your session ends in ${minutes(endMs)}`}>
        That is its maximum length. You will be asked to sign in again. Unsaved changes are kept.
      </Banner>,
    );
  } else if (idleMs > 0 && idleMs < idleWarningMs) {
    banners.push(
      <Banner
        key="idle"
        tone="warn"
        title={`You will be signed out in ${minutes(idleMs)}`}
        actions={
          <Button
            size={28}
            onPress={() => void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey })}
          >
            Stay signed in
          </Button>
        }
      >
        You have been inactive. Unsaved changes are kept either way.
      </Banner>,
    );
  }
  return banners.length === 0 ? null : (
    <div className="flex flex-col gap-2 border-b border-line px-4 py-2">{banners}</div>
  );
}

function minutes(ms: number): string {
  const count = Math.max(1, Math.floor(ms / 60_000));
  return count === 1 ? '1 minute' : `${String(count)} minutes`;
}
