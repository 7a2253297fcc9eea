import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { useNow } from '@gatehouse/ui/time';
import { endingBefore, formatSpan } from '#components/sessions/outlive.ts';
import { serviceLabels } from '#lib/error-words.ts';

/** Says beforehand which token will not last as long as the session. */
export function OutliveNote({
  session,
  connections,
}: {
  session: Session;
  connections: readonly Connection[];
}) {
  const now = useNow();
  const [first, ...others] = endingBefore(session, connections);
  if (!first) return null;
  const { connection, byMs } = first;
  const left = Date.parse(connection.expires_at ?? '') - now;
  const name =
    session.environments.find(({ id }) => id === connection.environment)?.name ?? connection.environment;
  return (
    <Banner
      tone={left < 15 * 60_000 ? 'warn' : 'info'}
      announce="none"
      title={`Your token at the ${serviceLabels[connection.service].toLowerCase()} of ${name} ends before your session`}
    >
      It lasts {formatSpan(left)} more, {formatSpan(byMs)} less than the session. Reconnect before longer
      work.
      {others.length > 0 &&
        ` ${String(others.length)} other ${others.length === 1 ? 'token also ends' : 'tokens also end'} before your session.`}
    </Banner>
  );
}
