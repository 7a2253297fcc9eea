import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment, Session } from '@gatehouse/api-types/console/session';
import { StatusDot } from '@gatehouse/ui/badge';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CredentialsForm } from '#components/credentials/CredentialsForm.tsx';
import { twoFactorOf } from '#components/credentials/two-factor.ts';
import { connectionWords } from '#components/layout/connection-words.ts';
import { isApiError } from '#lib/api-error.ts';
import { serviceLabels, wordsOf } from '#lib/error-words.ts';
import { connectionIn, connectionsQuery, useConnect } from '#queries/session.ts';

interface ConnectAllProps {
  environment: Environment;
  session: Session;
  /** The environment's services that were to be connected when the dialog opened. */
  services: readonly ServiceName[];
  connections: readonly Connection[];
  isOpen: boolean;
  onClose: () => void;
}

/** Connects to several services of an environment with one password. If their accounts differ, the user says which. */
export function ConnectAll({
  environment,
  session,
  services,
  connections,
  isOpen,
  onClose,
}: ConnectAllProps) {
  const queryClient = useQueryClient();
  const connect = useConnect();
  const [left, setLeft] = useState<ReadonlySet<ServiceName>>(new Set());
  const [refusals, setRefusals] = useState<ReadonlyMap<ServiceName, unknown>>(new Map());
  const stateOf = (service: ServiceName) =>
    connectionIn(connections, environment.id, service)?.state ?? 'not-connected';
  const isConnected = (service: ServiceName): boolean => stateOf(service) === 'connected';
  const close = (): void => {
    setRefusals(new Map());
    onClose();
  };
  const missing = services.filter((service) => !isConnected(service));
  const isChoice = !environment.shared_accounts && missing.length > 1;
  const chosen = isChoice ? missing.filter((service) => !left.has(service)) : missing;

  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      size="small"
      title={`Connect to the services of ${environment.name}`}
      description={
        environment.shared_accounts
          ? 'They have the same accounts.'
          : 'Choose the services that get this login name and password.'
      }
    >
      <div className="pb-2">
        <CredentialsForm
          environment={environment.id}
          methods={['password']}
          loginName={session.method === 'password' ? session.person.login_name : ''}
          submitLabel={isChoice ? `Connect ${String(chosen.length)}` : 'Connect'}
          onSubmit={async (credentials) => {
            const refused = new Map<ServiceName, unknown>();
            for (const service of chosen) {
              // One with the same accounts may have been connected together with an earlier one.
              const known = queryClient.getQueryData(connectionsQuery.queryKey);
              if (connectionIn(known, environment.id, service)?.state === 'connected') continue;
              try {
                // One after the other, so that a wrong password is refused once where the accounts are the same.
                await connect.mutateAsync({ environment: environment.id, service, credentials });
              } catch (error) {
                refused.set(service, error);
                if (environment.shared_accounts && isApiError(error, 'sign-in-failed')) break;
              }
            }
            setRefusals(refused);
            const errors = [...refused.values()];
            // The form asks for the code of a second factor.
            const first = errors.find((error) => twoFactorOf(error) !== undefined) ?? errors[0];
            if (first !== undefined) throw first as Error;
            close();
            const names = chosen.map((service) => serviceLabels[service].toLowerCase());
            toasts.ok({
              title: `Connected to the ${new Intl.ListFormat('en').format(names)} of ${environment.name}`,
            });
          }}
        >
          <ul aria-label="Services" className="flex flex-col gap-2">
            {services.map((service) => (
              <li key={service}>
                {isConnected(service) || !isChoice ? (
                  <div className="flex flex-wrap justify-between gap-x-3 text-body">
                    {serviceLabels[service]}
                    <StatusDot tone={connectionWords[stateOf(service)].tone}>
                      {connectionWords[stateOf(service)].word}
                    </StatusDot>
                    {refusals.has(service) && (
                      <span className="w-full text-meta text-danger">
                        {wordsOf(refusals.get(service)).title}
                      </span>
                    )}
                  </div>
                ) : (
                  <Checkbox
                    isSelected={!left.has(service)}
                    disabledReason={
                      chosen.length === 1 && chosen[0] === service ? 'Choose at least one.' : undefined
                    }
                    error={refusals.has(service) ? wordsOf(refusals.get(service)).title : undefined}
                    onChange={(isChosen) => {
                      setLeft(
                        new Set(isChosen ? [...left].filter((one) => one !== service) : [...left, service]),
                      );
                    }}
                  >
                    {serviceLabels[service]}
                  </Checkbox>
                )}
              </li>
            ))}
          </ul>
        </CredentialsForm>
      </div>
    </Dialog>
  );
}
