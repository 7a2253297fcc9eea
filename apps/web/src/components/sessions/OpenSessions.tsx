import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { usePolling } from '#lib/polling.ts';
import { openSessionsQuery } from '#queries/access-sessions.ts';
import { Time } from '../environment/Time.tsx';
import { useEnvironment } from '../environment/use-environment.ts';
import { Loaded } from '../errors/Loaded.tsx';
import { nameOr, statusWords } from './session-words.ts';

/** Most sessions in the card. */
const shown = 5;

/** The open sessions on a target, or of a user, that you can see. */
export function OpenSessions({ of, id }: { of: 'target' | 'user'; id: string }) {
  const { id: environment } = useEnvironment();
  const query = useQuery(openSessionsQuery(environment, of, id));
  usePolling(openSessionsQuery(environment, of, id), 15, query.isSuccess);
  const { data } = query;
  const href = `/${environment}/sessions?${of}=${encodeURIComponent(id)}`;
  return (
    <Card
      title={of === 'user' ? 'Open sessions on targets' : 'Open sessions'}
      actions={
        data !== undefined &&
        data.items.length > shown && (
          <LinkButton href={href} size={28} variant="ghost">
            All sessions
          </LinkButton>
        )
      }
    >
      <Loaded query={query} label="Loading the sessions">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-body text-ink-2">None that you can see.</p>
          ) : (
            <ul className="-my-2">
              {items.slice(0, shown).map((session) => (
                <li
                  key={session.id}
                  className="flex flex-wrap items-center gap-x-3 border-b border-line py-2 last:border-b-0"
                >
                  <Badge tone={statusWords(session.status).tone}>{statusWords(session.status).word}</Badge>
                  {of === 'target' ? (
                    <Link href={`/${environment}/people/${encodeURIComponent(session.user_id)}`}>
                      {nameOr(session.user_name, session.user_id)}
                    </Link>
                  ) : (
                    <Link href={`/${environment}/targets/${encodeURIComponent(session.target_id)}`}>
                      {nameOr(session.target_name, session.target_id)}
                    </Link>
                  )}
                  <Link href={`${href}&session=${encodeURIComponent(session.id)}`} tone="quiet">
                    since <Time value={session.created_time} isRelative />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
