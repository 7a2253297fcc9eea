import type { Target } from '@gatehouse/api-types/console/targets';
import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { nameOr, statusWords } from '#components/sessions/session-words.ts';
import { usePolling } from '#lib/polling.ts';
import { targetSessionsQuery } from '#queries/access-sessions.ts';

/** Most sessions in the card. */
const shown = 5;

/** The open sessions on a target that you can see. */
export function TargetSessions({ target }: { target: Target }) {
  const { id: environment } = useEnvironment();
  const query = useQuery(targetSessionsQuery(environment, target.id));
  usePolling(targetSessionsQuery(environment, target.id), 15, query.isSuccess);
  const { data } = query;
  const href = `/${environment}/sessions?target=${encodeURIComponent(target.id)}`;
  return (
    <Card
      title="Open sessions"
      actions={
        data !== undefined &&
        data.est_item_count > shown && (
          <LinkButton href={href} size={28} variant="ghost">
            All sessions
          </LinkButton>
        )
      }
    >
      {data === undefined ? (
        query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonList label="Loading the sessions" lines={2} />
        )
      ) : data.items.length === 0 ? (
        <p className="text-body text-ink-2">None that you can see.</p>
      ) : (
        <ul className="-my-2">
          {data.items.slice(0, shown).map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0"
            >
              <Badge tone={statusWords(session.status).tone}>{statusWords(session.status).word}</Badge>
              <Link href={`${href}&session=${encodeURIComponent(session.id)}`}>
                {nameOr(session.user_name, session.user_id)}
              </Link>
              <span className="text-meta text-ink-2">
                since <Time value={session.created_time} isRelative />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
