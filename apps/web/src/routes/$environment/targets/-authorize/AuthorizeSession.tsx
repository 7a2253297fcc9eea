import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Dialog } from '@gatehouse/ui/dialog';
import { KeyValueList, type KeyValue } from '@gatehouse/ui/key-value-list';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { showDestination, showDuration, showLimit } from '#components/targets/show-target.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { targetHostsQuery, useAuthorizeSession } from '#queries/access-sessions.ts';
import { credentialNames } from '../source-names.tsx';
import { AuthorizationFailure } from './AuthorizationFailure.tsx';
import { AuthorizedDialog } from './AuthorizedDialog.tsx';

export interface AuthorizeSessionProps {
  target: Target;
  /** Also discards the authorization. */
  onClose: () => void;
}

/** Authorizes a session on a target, and shows its token and credentials once. */
export function AuthorizeSession({ target, onClose }: AuthorizeSessionProps) {
  const environment = useEnvironment();
  const authorize = useAuthorizeSession(environment.id, target.id);
  const [host, setHost] = useState<string | null>(null);
  const hasHosts = target.host_sources.length > 0;
  const hosts = useQuery({ ...targetHostsQuery(environment.id, target), enabled: hasHosts });
  const { error } = authorize;
  const hostError = isApiError(error, 'invalid-request')
    ? error.problem?.fields?.find(({ path }) => path === 'host_id')?.message
    : undefined;

  if (authorize.data) {
    return (
      <AuthorizedDialog name={target.name} target={target} authorization={authorize.data} onClose={onClose} />
    );
  }

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`Authorize a session on ${target.name}`}
      description={`In ${environment.name}, as you.`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!authorize.isPending) authorize.mutate(host ?? undefined);
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            autoFocus={!hasHosts}
            isPending={authorize.isPending}
            disabledReason={
              hasHosts || target.address !== ''
                ? undefined
                : "The target has neither an address nor host sources, so a session couldn't connect to anything."
            }
          >
            Authorize session
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="-my-2">
          <KeyValueList
            items={[
              {
                label: 'Destination',
                value: hasHosts
                  ? `A host of ${target.host_sources.length === 1 ? 'its host set' : `its ${String(target.host_sources.length)} host sets`}`
                  : showDestination(target),
                isMono: !hasHosts,
              },
              { label: 'Maximum duration', value: showDuration(target.session_max_seconds) },
              { label: 'Connections', value: showLimit(target.session_connection_limit) },
              ...credentials(environment.id, target),
            ]}
          />
        </div>
        {hasHosts && (
          <ComboBox
            label="Host"
            description="Leave empty to let the controller choose."
            placeholder="Any"
            value={host}
            onChange={setHost}
            autoFocus
            isPending={hosts.isFetching}
            error={
              hostError ?? (hosts.isError ? `Hosts not loaded: ${wordsOf(hosts.error).detail}` : undefined)
            }
            emptyText="No host in the target's host sets has this name."
            options={(hosts.data ?? []).map(({ id, name, attributes }) => ({
              id,
              label: name === '' ? id : name,
              detail: `${attributes.address} · ${id}`,
            }))}
          />
        )}
        {error !== null && hostError === undefined && <AuthorizationFailure error={error} />}
      </div>
    </Dialog>
  );
}

/** What a session signs in with, before it is authorized. */
function credentials(environment: string, target: Target): readonly KeyValue[] {
  const all = [
    {
      label: 'Handed to you',
      value: credentialNames(environment, target, target.brokered_credential_sources),
    },
    {
      label: 'Entered by the worker',
      value: credentialNames(environment, target, target.injected_application_credential_sources),
    },
  ].filter(({ value }) => value !== '');
  return all.length === 0 ? [{ label: 'Credentials', value: 'None. Use your own' }] : all;
}
