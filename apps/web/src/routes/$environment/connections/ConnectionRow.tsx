import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { StatusDot } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { useNow } from '@gatehouse/ui/time';
import { Suspense, useRef, useState } from 'react';
import { Time } from '#components/environment/Time.tsx';
import { connectionWords } from '#components/layout/connection-words.ts';
import { versionInWords } from '#components/layout/version-words.ts';
import { formatSpan } from '#components/sessions/outlive.ts';
import { serviceLabels } from '#lib/error-words.ts';

const ConnectionDialogs = lazy(async () => ({
  default: (await import('./ConnectionDialogs.tsx')).ConnectionDialogs,
}));

interface ConnectionRowProps {
  connection: Connection;
  session: Session;
  environmentName: string;
}

/** One service: its state, account and token lifetime, with actions to connect and disconnect. */
export function ConnectionRow({ connection, session, environmentName }: ConnectionRowProps) {
  const { service, state } = connection;
  const label = serviceLabels[service];
  const [open, setOpen] = useState<'connect' | 'disconnect'>();
  // Stays mounted once opened, so that closing is animated too.
  const opened = useRef(false);
  opened.current ||= open !== undefined;
  const { word, tone } = connectionWords[state];
  const isConnected = state === 'connected';
  const isDenied = state === 'no-access';

  return (
    <li className="grid grid-cols-1 items-start gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 narrow:grid-cols-2 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_13rem]">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink-1">
          {label}
          {connection.version !== null && (
            <span className="font-mono text-meta font-normal text-ink-3">{versionInWords(connection)}</span>
          )}
        </h3>
        <p className="font-mono text-meta text-ink-2 wrap-anywhere">{connection.address}</p>
        {connection.sign_in_mount !== null && (
          <p className="text-meta text-ink-2 wrap-anywhere">
            {connection.namespace !== null && (
              <>
                Namespace <span className="font-mono">{connection.namespace}</span>,{' '}
              </>
            )}
            {connection.namespace === null ? 'Passwords' : 'passwords'} checked at{' '}
            <span className="font-mono">auth/{connection.sign_in_mount}</span>
          </p>
        )}
      </div>
      <div className="min-w-0">
        <StatusDot tone={tone}>{word}</StatusDot>
        <p className="text-meta text-ink-2">
          {connection.detail ?? (connection.account === null ? 'No token' : `As ${connection.account.name}`)}
        </p>
      </div>
      <div className="min-w-0">
        <Lifetime connection={connection} session={session} />
      </div>
      <div className="flex gap-2 wide:justify-end">
        <Button
          size={28}
          variant={isConnected || isDenied ? 'secondary' : 'primary'}
          disabledReason={
            connection.methods.length === 0
              ? 'The configuration has no sign-in method for this service.'
              : undefined
          }
          onPress={() => {
            setOpen('connect');
          }}
        >
          {isConnected || state === 'expired' ? 'Reconnect' : 'Connect'}
        </Button>
        {(isConnected || isDenied) && connection.account !== null && (
          <Button
            size={28}
            variant="ghost"
            onPress={() => {
              setOpen('disconnect');
            }}
          >
            Disconnect
          </Button>
        )}
      </div>
      {opened.current && (
        <Suspense fallback={null}>
          <ConnectionDialogs
            connection={connection}
            session={session}
            environmentName={environmentName}
            open={open}
            onClose={() => {
              setOpen(undefined);
            }}
          />
        </Suspense>
      )}
    </li>
  );
}

/** When the token expires, and whether it lasts as long as your session. */
function Lifetime({ connection, session }: { connection: Connection; session: Session }) {
  const now = useNow();
  if (connection.state !== 'connected') {
    return connection.checked_at === null ? null : (
      <p className="text-meta text-ink-2">
        Checked <Time value={connection.checked_at} isRelative />
      </p>
    );
  }
  if (connection.expires_at === null) return <p className="text-body text-ink-2">No expiry reported</p>;
  const end = Date.parse(connection.expires_at);
  const sessionEnd = Date.parse(session.expires_at);
  const isOutlived = end < sessionEnd;
  return (
    <>
      <p className="text-body text-ink-1">Token lasts {formatSpan(end - now)}</p>
      <p className={isOutlived ? 'text-meta text-warn' : 'text-meta text-ink-2'}>
        {isOutlived
          ? `Ends ${formatSpan(sessionEnd - end)} before your session`
          : 'Expires after your session'}
        {', '}
        <Time value={connection.expires_at} />
      </p>
    </>
  );
}
