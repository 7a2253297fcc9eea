import type { Person } from '@gatehouse/api-types/console/people';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { lazy } from '@gatehouse/ui/lazy';
import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Loaded } from '#components/errors/Loaded.tsx';
import { usePolling } from '#lib/polling.ts';
import { consoleSessionsQuery } from '#queries/people.ts';
import { reasonAgainst } from '../may.ts';

const SignOut = lazy(async () => ({ default: (await import('../SignOut.tsx')).SignOut }));

/** A person's sessions of the console, with an action to end them. */
export function ConsoleSessions({ person }: { person: Person }) {
  const { id: environment } = useEnvironment();
  const reason = reasonAgainst(person, 'update');
  const options = { ...consoleSessionsQuery(environment, person.id), enabled: reason === undefined };
  const query = useQuery(options);
  const { data } = query;
  usePolling(options, 15, data !== undefined);
  const [isAsking, setAsking] = useState(false);
  const isOwn = data?.some(({ current }) => current) === true;
  return (
    <Card
      title="Sessions of the console"
      actions={
        isOwn ? (
          <LinkButton href={`/${environment}/connections#sessions`} size={28} variant="ghost">
            Your sessions
          </LinkButton>
        ) : (
          data !== undefined &&
          data.length > 0 && (
            <Button
              size={28}
              variant="ghost"
              onPress={() => {
                setAsking(true);
              }}
            >
              Sign out
            </Button>
          )
        )
      }
    >
      {reason !== undefined ? (
        <p className="text-body text-ink-2">Only those who can edit this person see them.</p>
      ) : (
        <Loaded query={query} label="Loading the sessions">
          {(sessions) =>
            sessions.length === 0 ? (
              <p className="text-body text-ink-2">Not signed in to this console.</p>
            ) : (
              <ul className="-my-2">
                {sessions.map((session) => (
                  <li
                    key={session.id}
                    className="flex flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0"
                  >
                    <span className="font-medium">{session.client}</span>
                    {session.current && <Badge tone="accent">This session</Badge>}
                    <span className="font-mono text-meta text-ink-2">{session.address}</span>
                    <span className="text-meta text-ink-2">
                      active <Time value={session.last_active_at} isRelative />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      <Suspense fallback={null}>
        {isAsking && data !== undefined && (
          <SignOut
            person={person}
            count={data.length}
            onClose={() => {
              setAsking(false);
            }}
          />
        )}
      </Suspense>
    </Card>
  );
}
