import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { Badge } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { Drawer } from '@gatehouse/ui/drawer';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { isOpen } from '#components/sessions/quiet-time.ts';
import { nameOr, reasonAgainstCancel, statusWords } from '#components/sessions/session-words.ts';
import { showLimit } from '#components/targets/show-target.ts';
import { accessSessionQuery } from '#queries/access-sessions.ts';
import { Remaining } from './session-columns.tsx';

export interface SessionPanelProps {
  id: string;
  /** From the list, which is polled more often. */
  listed: AccessSession | undefined;
  onCancel: (session: AccessSession) => void;
  onClose: () => void;
}

/** One session, read-only: its endpoint, how long it lasts, and its states. */
export function SessionPanel({ id, listed, onCancel, onClose }: SessionPanelProps) {
  const environment = useEnvironment();
  const query = useQuery({ ...accessSessionQuery(environment.id, id), enabled: listed === undefined });
  const session = listed ?? query.data;
  const cannotCancel = session && reasonAgainstCancel(session);
  return (
    <Drawer
      isOpen
      onOpenChange={onClose}
      title={session ? `Session of ${nameOr(session.user_name, session.user_id)}` : 'Session'}
      description={<span className="font-mono">{id}</span>}
      footer={
        session && (
          <Button
            variant="danger"
            disabledReason={cannotCancel}
            onPress={() => {
              onCancel(session);
            }}
          >
            Cancel session
          </Button>
        )
      }
    >
      {!session && query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {!session && !query.isError && <SkeletonList label="Loading the session" lines={8} />}
      {session && <Details session={session} environment={environment.id} />}
    </Drawer>
  );
}

function Details({ session, environment }: { session: AccessSession; environment: string }) {
  const { word, tone } = statusWords(session.status);
  return (
    <div className="flex flex-col gap-6">
      <KeyValueList
        items={[
          { label: 'State', value: <Badge tone={tone}>{word}</Badge> },
          ...(session.termination_reason === ''
            ? []
            : [{ label: 'Reason for end', value: session.termination_reason }]),
          ...(isOpen(session)
            ? [{ label: 'Remaining', value: <Remaining until={session.expiration_time} /> }]
            : []),
          { label: 'Expiration', value: <Time value={session.expiration_time} /> },
          {
            label: 'Target',
            value: (
              <Link
                to="/$environment/targets/$id"
                params={{ environment, id: session.target_id }}
                className="text-accent underline"
              >
                {nameOr(session.target_name, session.target_id)}
              </Link>
            ),
            copyText: session.target_id,
          },
          { label: 'Person', value: nameOr(session.user_name, session.user_id), copyText: session.user_id },
          { label: 'Endpoint', value: session.endpoint, isMono: true, copyText: session.endpoint },
          { label: 'Host', value: session.host_id, isMono: true, copyText: session.host_id },
          { label: 'Host set', value: session.host_set_id, isMono: true, copyText: session.host_set_id },
          { label: 'Connections', value: showLimit(session.connection_limit) },
          {
            label: 'Project',
            value: nameOr(session.scope.name, session.scope_id),
            copyText: session.scope_id,
          },
          { label: 'Version', value: session.revision },
        ]}
      />
      <section aria-labelledby="states" className="flex flex-col gap-2">
        <h3 id="states" className="text-body font-semibold text-ink-1">
          States
        </h3>
        <ol className="flex flex-col">
          {session.states.map(({ status, start_time: start, end_time: end }) => (
            <li
              key={`${status} ${start}`}
              className="relative flex items-start gap-3 border-s border-line py-1.5 ps-4 before:absolute before:-start-1 before:top-3 before:size-2 before:rounded-full before:bg-control-line"
            >
              <span className="w-24 shrink-0">
                <Badge tone={statusWords(status).tone}>{statusWords(status).word}</Badge>
              </span>
              <span className="min-w-0 text-body text-ink-2">
                since <Time value={start} />
                {end !== '' && (
                  <>
                    {' '}
                    until <Time value={end} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
