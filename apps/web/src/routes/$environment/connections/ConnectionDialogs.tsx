import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { CredentialsForm } from '#components/credentials/CredentialsForm.tsx';
import { failureTitle, serviceLabels, wordsOf } from '#lib/error-words.ts';
import { useConnect, useDisconnect } from '#queries/session.ts';

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
  const isShared =
    connection.state !== 'connected' &&
    session.environments.find(({ id }) => id === environment)?.shared_accounts === true;
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
            {isShared && ' Its other services have the same accounts and are connected too.'}
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
              await connect.mutateAsync({ environment, service, credentials });
              onClose();
              toasts.ok({ title: `Connected to the ${label} of ${environmentName}` });
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
