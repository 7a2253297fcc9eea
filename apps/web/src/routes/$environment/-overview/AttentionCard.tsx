import type { Connection, Environment, Session } from '@gatehouse/api-types/console/session';
import { buttonClass } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useNow } from '@gatehouse/ui/time';
import { Link } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { connectionWords } from '#components/layout/connection-words.ts';
import { endingBefore, formatSpan } from '#components/sessions/outlive.ts';
import { serviceLabels } from '#lib/error-words.ts';

interface Matter {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
}

/** Lists what needs attention, or says that nothing does. */
export function AttentionCard({
  session,
  environment,
  connections,
}: {
  session: Session;
  environment: Environment;
  connections: readonly Connection[] | undefined;
}) {
  const now = useNow();
  if (!connections) {
    return (
      <Card title="Needs attention">
        <SkeletonList label="Checking the services" lines={1} />
      </Card>
    );
  }
  const matters = mattersOf(session, connections, now);
  return (
    <Card title="Needs attention" isFlush>
      {matters.length === 0 ? (
        <p className="flex items-center gap-2 px-4 py-3 text-ink-2">
          <Icon icon={CircleCheck} className="text-ok" />
          Your connections in {environment.name} work, and none expires soon.
        </p>
      ) : (
        <ul>
          {matters.map(({ id, title, detail }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-2 last:border-b-0"
            >
              <Icon icon={TriangleAlert} className="text-warn" />
              <p className="min-w-0 flex-1 basis-60">
                <span className="font-medium text-ink-1">{title}</span>
                <span className="block text-meta text-ink-2">{detail}</span>
              </p>
              <Link
                to="/$environment/connections"
                params={{ environment: environment.id }}
                className={buttonClass({ size: 28 })}
              >
                See connections
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Tokens that expire sooner than this are listed, in ms. */
const soonMs = 30 * 60_000;

function mattersOf(session: Session, connections: readonly Connection[], now: number): readonly Matter[] {
  const broken = connections
    .filter(({ state }) => state !== 'connected' && state !== 'no-access')
    .map(({ service, state, detail }): Matter => ({
      id: service,
      title: `${serviceLabels[service]}: ${connectionWords[state].word.toLowerCase()}`,
      detail:
        detail ??
        (state === 'not-connected' || state === 'expired'
          ? 'Connect to use its screens.'
          : "Its screens don't work until it is back."),
    }));
  const ending = endingBefore(session, connections)
    .map(({ connection }) => ({ connection, left: Date.parse(connection.expires_at ?? '') - now }))
    .filter(({ left }) => left < soonMs)
    .map(({ connection, left }): Matter => ({
      id: `${connection.service} ends`,
      title: `Your ${serviceLabels[connection.service].toLowerCase()} token expires in ${formatSpan(left)}`,
      detail: 'Reconnect before longer work.',
    }));
  return [...broken, ...ending];
}
