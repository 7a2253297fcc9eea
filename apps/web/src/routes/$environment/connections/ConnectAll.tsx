import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment, Session } from '@gatehouse/api-types/console/session';
import { StatusDot } from '@gatehouse/ui/badge';
import { Checkbox } from '@gatehouse/ui/checkbox';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CredentialsForm } from '#components/credentials/CredentialsForm.tsx';
import { twoFactorOf } from '#components/credentials/two-factor.ts';
import { connectionWords } from '#components/layout/connection-words.ts';
import { serviceLabels, wordsOf } from '#lib/error-words.ts';
import { connectionIn, connectionsQuery, useConnect } from '#queries/session.ts';
import { connectGroups, groupsOf, inWords } from './connecting.ts';

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
  const running = useRef<AbortController>(undefined);
  const stateIn = (known: readonly Connection[] | undefined, service: ServiceName) =>
    connectionIn(known, environment.id, service)?.state ?? 'not-connected';
  const close = (): void => {
    running.current?.abort();
    setRefusals(new Map());
    onClose();
  };
  // Without access, another attempt changes nothing.
  const isSettledIn = (known: readonly Connection[] | undefined, service: ServiceName): boolean =>
    ['connected', 'no-access'].includes(stateIn(known, service));
  const isSettled = (service: ServiceName): boolean => isSettledIn(connections, service);
  const missing = groupsOf(
    environment,
    services.filter((service) => !isSettled(service)),
  );
  const isChoice = missing.length > 1;
  // A group has the same accounts, so it is left out or connected as a whole.
  const chosen = isChoice ? missing.filter(([first]) => first === undefined || !left.has(first)) : missing;
  const toConnect = chosen.flat();
  const refusalIn = (group: readonly ServiceName[]): string | undefined => {
    const refused = group.find((service) => refusals.has(service));
    return refused && wordsOf(refusals.get(refused)).title;
  };

  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={close}
      size="small"
      title={`Connect to the services of ${environment.name}`}
      description={
        groupsOf(environment, services).length === 1
          ? 'They have the same accounts.'
          : 'Choose the services that get this login name and password.'
      }
    >
      <div className="pb-2">
        <CredentialsForm
          environment={environment.id}
          methods={['password']}
          loginName={session.method === 'password' ? session.person.login_name : ''}
          submitLabel={
            toConnect.length === 1
              ? `Connect to the ${inWords(toConnect)}`
              : `Connect ${String(toConnect.length)} services`
          }
          onSubmit={async (credentials) => {
            const run = new AbortController();
            running.current = run;
            const known = () => queryClient.getQueryData(connectionsQuery.queryKey);
            const refused = await connectGroups(chosen, {
              connect: (service) =>
                connect.mutateAsync({ environment: environment.id, service, credentials }),
              isSettled: (service) => isSettledIn(known(), service),
              signal: run.signal,
            });
            const now = known();
            const errors = [...refused].flatMap(([service, error]) =>
              isSettledIn(now, service) ? [] : [error],
            );
            // The form asks for the code of a second factor.
            const first = errors.find((error) => twoFactorOf(error) !== undefined) ?? errors[0];
            if (first !== undefined && !run.signal.aborted) {
              setRefusals(refused);
              throw first as Error;
            }
            if (!run.signal.aborted) close();
            const connected = services.filter((service) => stateIn(now, service) === 'connected');
            const denied = services.filter((service) => stateIn(now, service) === 'no-access');
            if (connected.length > 0)
              toasts.ok({ title: `Connected to the ${inWords(connected)} of ${environment.name}` });
            if (denied.length > 0)
              toasts.warn({
                title: `No access to the ${inWords(denied)} of ${environment.name}`,
                detail: 'Your account has no role there. Ask an administrator for one.',
              });
          }}
        >
          <ul aria-label="Services" className="flex flex-col gap-2">
            {services
              .filter((service) => !isChoice || isSettled(service))
              .map((service) => {
                const { tone, word } = connectionWords[stateIn(connections, service)];
                return (
                  <li key={service} className="flex flex-wrap justify-between gap-x-3 text-body">
                    {serviceLabels[service]}
                    <StatusDot tone={tone}>{word}</StatusDot>
                    {!isSettled(service) && refusals.has(service) && (
                      <span className="w-full text-meta text-danger">{refusalIn([service])}</span>
                    )}
                  </li>
                );
              })}
            {isChoice &&
              missing.map((group) => (
                <li key={group[0]}>
                  <Checkbox
                    isSelected={chosen.includes(group)}
                    disabledReason={
                      chosen.length === 1 && chosen[0] === group ? 'Choose at least one.' : undefined
                    }
                    error={refusalIn(group)}
                    onChange={(isChosen) => {
                      const others = [...left].filter((service) => !group.includes(service));
                      setLeft(new Set(isChosen ? others : [...others, ...group]));
                    }}
                  >
                    {group.map((service) => serviceLabels[service]).join(', ')}
                  </Checkbox>
                </li>
              ))}
          </ul>
        </CredentialsForm>
      </div>
    </Dialog>
  );
}
