import type { SessionSummary } from '@gatehouse/api-types/console/session';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { useNow } from '@gatehouse/ui/time';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useSession } from '#components/environment/use-environment.ts';
import { Loaded } from '#components/errors/Loaded.tsx';
import { formatSpan } from '#components/sessions/outlive.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { sessionsQuery, useEndSession } from '#queries/session.ts';

const EndOtherSessions = lazy(async () => ({
  default: (await import('./EndOtherSessions.tsx')).EndOtherSessions,
}));

/** Your sessions of the console, with actions to end the others. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0;
  return (
    <div id="sessions" className="scroll-mt-4">
      <Card
        isFlush
        title="Your sessions"
        actions={
          <Button
            size={28}
            variant="ghost"
            disabledReason={others === 0 ? 'This is your only session.' : undefined}
            onPress={() => {
              setAsking(true);
            }}
          >
            End all others
          </Button>
        }
        footer={<ThisSessionEnds />}
      >
        <Loaded query={sessions} label="Loading the sessions" isFlush>
          {(list) => (
            <ul>
              {list
                .toSorted(
                  (a, b) =>
                    Number(b.current) - Number(a.current) || b.last_active_at.localeCompare(a.last_active_at),
                )
                .map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
            </ul>
          )}
        </Loaded>
      </Card>
      {isAsking && (
        <Suspense fallback={null}>
          <EndOtherSessions
            others={others}
            onClose={() => {
              setAsking(false);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function SessionRow({ session }: { session: SessionSummary }) {
  const now = useNow();
  const end = useEndSession();
  const isGone = isApiError(end.error, 'not-found');
  return (
    <li className="grid grid-cols-1 items-start gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 narrow:grid-cols-2 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_13rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium text-ink-1">
          {session.client}
          {session.current && <Badge tone="accent">This session</Badge>}
        </p>
        <p className="font-mono text-meta text-ink-2">{session.address}</p>
      </div>
      <p className="min-w-0 text-body text-ink-2">
        Active <Time value={session.last_active_at} isRelative />
        <span className="block text-meta">
          Signed in <Time value={session.signed_in_at} />
        </span>
      </p>
      <p className="min-w-0 text-body text-ink-2">
        Ends within {formatSpan(Date.parse(session.expires_at) - now)}
      </p>
      <div className="flex wide:justify-end">
        {!session.current && (
          <Button
            size={28}
            variant="ghost"
            isPending={end.isPending}
            onPress={() => {
              end.mutate(session.id);
            }}
          >
            End
          </Button>
        )}
      </div>
      {end.error !== null && !isGone && (
        <div className="col-span-full">
          <Banner tone="danger" title="The session wasn't ended">
            {wordsOf(end.error).detail}
          </Banner>
        </div>
      )}
    </li>
  );
}

function ThisSessionEnds() {
  const { idle_expires_at: idle, expires_at: end } = useSession();
  const now = useNow();
  return (
    <>
      This session ends after {formatSpan(Date.parse(idle) - now)} without activity, and in{' '}
      {formatSpan(Date.parse(end) - now)} in any case.
    </>
  );
}
