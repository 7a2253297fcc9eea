import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { StatusDot } from '@gatehouse/ui/badge';
import { Button } from '@gatehouse/ui/button';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { useNow } from '@gatehouse/ui/time';
import { toasts } from '@gatehouse/ui/toast';
import { useState } from 'react';
import { CredentialsForm } from '../../../components/credentials/CredentialsForm.tsx';
import { connectionWords } from '../../../components/layout/connection-words.ts';
import { Time } from '../../../components/layout/Time.tsx';
import { serviceLabels, wordsOf } from '../../../lib/error-words.ts';
import { useConnect, useDisconnect } from '../../../queries/session.ts';
import { formatSpan } from './outlive.ts';

interface ConnectionRowProps {
  connection: Connection;
  session: Session;
  environmentName: string;
}

/** One service: how it is, as whom, for how long, and the way in or out. */
export function ConnectionRow({ connection, session, environmentName }: ConnectionRowProps) {
  const { environment, service, state } = connection;
  const label = serviceLabels[service];
  const [open, setOpen] = useState<'connect' | 'disconnect'>();
  const connect = useConnect();
  const disconnect = useDisconnect();
  const { word, tone } = connectionWords[state];
  const isConnected = state === 'connected';
  const isLast = isConnected && environment === session.environment;

  return (
    <li className="grid grid-cols-1 items-start gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-b-0 narrow:grid-cols-2 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_13rem]">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium text-ink-1">
          {label}
          {connection.version !== null && (
            <span className="font-mono text-meta font-normal text-ink-3">{connection.version}</span>
          )}
        </h3>
        <p className="font-mono text-meta text-ink-2 wrap-anywhere">{connection.address}</p>
      </div>
      <div className="min-w-0">
        <StatusDot tone={tone}>{word}</StatusDot>
        <p className="text-meta text-ink-2">
          {connection.detail ??
            (connection.account === null ? 'No token is held.' : `As ${connection.account.name}`)}
        </p>
      </div>
      <div className="min-w-0">
        <Lifetime connection={connection} session={session} />
      </div>
      <div className="flex gap-2 wide:justify-end">
        <Button
          size={28}
          variant={isConnected ? 'secondary' : 'primary'}
          disabledReason={
            connection.methods.length === 0 ? 'The configuration names no way to sign in there.' : undefined
          }
          onPress={() => {
            setOpen('connect');
          }}
        >
          {isConnected || state === 'expired' ? 'Reconnect' : 'Connect'}
        </Button>
        {isConnected && (
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
      <Dialog
        isOpen={open === 'connect'}
        onOpenChange={() => {
          setOpen(undefined);
        }}
        size="small"
        title={`${isConnected ? 'Reconnect' : 'Connect'} to the ${label.toLowerCase()}`}
        description={`In ${environmentName}, at ${connection.address}.`}
      >
        <div className="pb-2">
          <CredentialsForm
            methods={connection.methods}
            loginName={session.method === 'password' ? session.person.login_name : ''}
            submitLabel={isConnected ? 'Reconnect' : 'Connect'}
            onSubmit={async (credentials) => {
              await connect.mutateAsync({ environment, service, credentials });
              setOpen(undefined);
              toasts.ok({ title: `Connected to the ${label.toLowerCase()} of ${environmentName}` });
            }}
          />
        </div>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'disconnect'}
        onOpenChange={() => {
          setOpen(undefined);
          disconnect.reset();
        }}
        title={`Disconnect from the ${label.toLowerCase()}?`}
        confirmLabel="Disconnect"
        isPending={disconnect.isPending}
        error={disconnect.error === null ? undefined : wordsOf(disconnect.error).detail}
        impacts={[
          { kind: 'breaks', text: `Its screens in ${environmentName} show nothing until you connect again.` },
          ...(isLast
            ? [{ kind: 'worth-knowing' as const, text: 'You signed in here. The session itself goes on.' }]
            : []),
        ]}
        onConfirm={() => {
          disconnect.mutate(
            { environment, service },
            {
              onSuccess: () => {
                setOpen(undefined);
              },
            },
          );
        }}
      >
        Your token there is revoked at once.
      </ConfirmDialog>
    </li>
  );
}

/** When the token ends, and whether it lasts as long as the session. */
function Lifetime({ connection, session }: { connection: Connection; session: Session }) {
  const now = useNow();
  if (connection.state !== 'connected') {
    return connection.checked_at === null ? null : (
      <p className="text-meta text-ink-2">
        Checked <Time value={connection.checked_at} isRelative />
      </p>
    );
  }
  if (connection.expires_at === null)
    return <p className="text-body text-ink-2">The service names no end.</p>;
  const end = Date.parse(connection.expires_at);
  const sessionEnd = Date.parse(session.expires_at);
  const isOutlived = end < sessionEnd;
  return (
    <>
      <p className="text-body text-ink-1">Token lasts {formatSpan(end - now)}</p>
      <p className={isOutlived ? 'text-meta text-warn' : 'text-meta text-ink-2'}>
        {isOutlived ? `Ends ${formatSpan(sessionEnd - end)} before your session` : 'Outlives your session'}
        {', '}
        <Time value={connection.expires_at} />
      </p>
    </>
  );
}
