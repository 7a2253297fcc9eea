import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, ConnectionState, Session } from '@gatehouse/api-types/console/session';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { CredentialsForm } from '#components/credentials/CredentialsForm.tsx';
import { failureTitle, serviceLabels, wordsOf } from '#lib/error-words.ts';
import { connectionsQuery, useConnect, useDisconnect } from '#queries/session.ts';
import { groupsOf, inWords } from './connecting.ts';

interface ConnectionDialogsProps {
  connection: Connection;
  session: Session;
  environmentName: string;
  open: 'connect' | 'disconnect' | undefined;
  onClose: () => void;
}

/** The dialogs to connect to a service and to disconnect, loaded when one opens. */
export function ConnectionDialogs({
  connection,
  session,
  environmentName,
  open,
  onClose,
}: ConnectionDialogsProps) {
  const { environment, service } = connection;
  const label = serviceLabels[service].toLowerCase();
  const connect = useConnect();
  const disconnect = useDisconnect();
  const isConnected = connection.state === 'connected';
  const queryClient = useQueryClient();
  /** The environment's other services in some states. */
  const othersIn = (...states: readonly ConnectionState[]): readonly ServiceName[] =>
    (queryClient.getQueryData(connectionsQuery.queryKey) ?? []).flatMap((other) =>
      other.environment === environment && other.service !== service && states.includes(other.state)
        ? [other.service]
        : [],
    );
  const place = session.environments.find(({ id }) => id === environment);
  const along =
    place === undefined || isConnected
      ? []
      : (groupsOf(place, [service, ...othersIn('not-connected', 'expired')])
          .find((group) => group.includes(service))
          ?.filter((other) => other !== service) ?? []);
  const isLast = isConnected && environment === session.environment;
  return (
    <>
      <Dialog
        isOpen={open === 'connect'}
        onOpenChange={onClose}
        size="small"
        title={`${isConnected ? 'Reconnect' : 'Connect'} to the ${label}`}
        description={
          <>
            In {environmentName},{' '}
            {connection.address === 'embedded' ? 'embedded in this console' : `at ${connection.address}`}.
            {along.length > 0 &&
              ` The ${inWords(along)} ${along.length === 1 ? 'has the same accounts and is' : 'have the same accounts and are'} connected too.`}
          </>
        }
      >
        <div className="pb-2">
          <CredentialsForm
            environment={environment}
            methods={connection.methods}
            loginName={session.method === 'password' ? session.person.login_name : ''}
            submitLabel={isConnected ? 'Reconnect' : 'Connect'}
            onSubmit={async (credentials) => {
              const before = othersIn('connected');
              await connect.mutateAsync({ environment, service, credentials });
              onClose();
              const since = othersIn('connected').filter((other) => !before.includes(other));
              toasts.ok({ title: `Connected to the ${inWords([service, ...since])} of ${environmentName}` });
            }}
          />
        </div>
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'disconnect'}
        onOpenChange={() => {
          onClose();
          disconnect.reset();
        }}
        title={`Disconnect from the ${label}?`}
        confirmLabel="Disconnect"
        isPending={disconnect.isPending}
        errorTitle={failureTitle(disconnect.error)}
        error={disconnect.error === null ? undefined : wordsOf(disconnect.error).detail}
        impacts={[
          { kind: 'breaks', text: `Its screens in ${environmentName} stay empty until you connect again.` },
          ...(isLast
            ? [
                {
                  kind: 'worth-knowing' as const,
                  text: 'You signed in through this service. Your console session stays open.',
                },
              ]
            : []),
        ]}
        onConfirm={() => {
          disconnect.mutate({ environment, service }, { onSuccess: onClose });
        }}
      >
        Your token there is revoked immediately.
      </ConfirmDialog>
    </>
  );
}
