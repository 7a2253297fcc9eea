import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import type { SecretDate } from '@gatehouse/api-types/console/secret-metadata';
import type { Connection, Session, SessionSummary } from '@gatehouse/api-types/console/session';
import { Card } from '@gatehouse/ui/card';
import { Icon, SecretIcon, SessionIcon, type IconType } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useNow } from '@gatehouse/ui/time';
import { KeyRound, UserRound } from 'lucide-react';
import { Time } from '#components/environment/Time.tsx';
import { formatSpan } from '#components/sessions/outlive.ts';
import { endings, horizonEnd, horizonMarks, horizonPosition, type Ending } from './horizon.ts';

const drawings: Readonly<Record<Ending['kind'], IconType>> = {
  token: KeyRound,
  session: UserRound,
  'access-session': SessionIcon,
  secret: SecretIcon,
};

const titles: readonly { readonly title: string; readonly kinds: readonly Ending['kind'][] }[] = [
  { title: 'Sessions on targets', kinds: ['access-session'] },
  { title: 'Secrets', kinds: ['secret'] },
  { title: 'Your console sessions and tokens', kinds: ['session', 'token'] },
];
/** Most rows of a group. */
const mostInGroup = 6;

/**
 * Everything that expires, on one axis: tokens of all environments, and sessions on targets and dates of secrets of this
 * one.
 */
export function HorizonCard({
  environment,
  session,
  connections = [],
  sessions = [],
  accessSessions = [],
  dates = { items: [], is_complete: true },
  isKnown,
}: {
  environment: string;
  session: Session;
  connections: readonly Connection[] | undefined;
  /** Sessions of the console. */
  sessions: readonly SessionSummary[] | undefined;
  /** Sessions on targets of this environment. */
  accessSessions: readonly AccessSession[] | undefined;
  dates: { readonly items: readonly SecretDate[]; readonly is_complete: boolean } | undefined;
  /** Whether all have been loaded: a later one would move the others. */
  isKnown: boolean;
}) {
  const now = useNow();
  const list = endings(environment, session, connections, sessions, accessSessions, dates.items, now);
  const end = horizonEnd(list, now);
  const groups = titles
    .map(({ title, kinds }) => ({
      title,
      endings: list.filter(({ kind }) => kinds.includes(kind)).slice(0, mostInGroup),
    }))
    .filter((group) => group.endings.length > 0);
  const more = list.length - groups.reduce((count, { endings: shown }) => count + shown.length, 0);
  if (!isKnown) {
    return (
      <Card title="Expiring soon">
        <SkeletonList label="Checking what expires soon" lines={4} />
      </Card>
    );
  }
  return (
    <Card title="Expiring soon">
      <div className="flex flex-col gap-1">
        <div aria-hidden className="relative hidden h-5 narrow:ms-64 narrow:me-24 narrow:block">
          {horizonMarks
            .filter(({ ms }) => ms <= end)
            .map(({ ms, label }) => (
              <span
                key={label}
                className="absolute -translate-x-1/2 font-mono text-caps whitespace-nowrap text-ink-3 first:translate-x-0 last:-translate-x-full"
                style={{ insetInlineStart: `${String(horizonPosition(ms, end) * 100)}%` }}
              >
                {label}
              </span>
            ))}
        </div>
        {groups.map(({ title, endings: rows }) => (
          <section key={title} aria-label={title}>
            {groups.length > 1 && <h3 className="pt-2 text-meta text-ink-2">{title}</h3>}
            <ul className="flex flex-col">
              {rows.map((ending) => (
                <Row key={ending.id} ending={ending} now={now} end={end} />
              ))}
            </ul>
          </section>
        ))}
        {more > 0 && (
          <p className="pt-1 text-meta text-ink-2">and {more.toLocaleString('en')} more, later.</p>
        )}
        {!dates.is_complete && (
          <p className="pt-1 text-meta text-ink-2">
            Some dates of secrets aren't listed, because there are too many.
          </p>
        )}
      </div>
    </Card>
  );
}

function Row({ ending, now, end }: { ending: Ending; now: number; end: number }) {
  const width = `${String(horizonPosition(ending.at - now, end) * 100)}%`;
  const isSoon = ending.at - now < 15 * 60_000 && ending.isMoving !== true;
  return (
    <li className="flex flex-col gap-x-4 py-1 narrow:flex-row narrow:items-center">
      <span className="flex min-w-0 items-center gap-2 narrow:w-60 narrow:shrink-0">
        <Icon icon={drawings[ending.kind]} size={14} className="shrink-0 text-ink-3" />
        <span className="min-w-0 truncate">
          <Link href={ending.href} tone="quiet">
            {ending.label}
          </Link>
        </span>
      </span>
      <span className="relative block h-4 min-w-0 narrow:h-7 narrow:flex-1">
        {horizonMarks
          .filter(({ ms }) => ms <= end)
          .map(({ ms }) => (
            <span
              aria-hidden
              key={ms}
              className="absolute inset-y-0 w-px bg-line"
              style={{ insetInlineStart: `${String(horizonPosition(ms, end) * 100)}%` }}
            />
          ))}
        <span
          aria-hidden
          className={`absolute start-0 top-1/2 h-1.5 -translate-y-1/2 rounded-tag ${isSoon ? 'bg-warn' : ending.isMoving ? 'bg-control-line' : 'bg-accent'}`}
          style={{ width }}
        />
      </span>
      <span className="shrink-0 text-meta text-ink-2 narrow:w-20 narrow:text-end">
        {formatSpan(ending.at - now)}
        <span className="sr-only">
          , ends <Time value={ending.at} />
        </span>
      </span>
    </li>
  );
}
