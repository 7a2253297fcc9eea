import type { SessionAuthorization, SessionCredential } from '@gatehouse/api-types/console/access-sessions';
import type { Target } from '@gatehouse/api-types/console/targets';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { CodeBlock } from '@gatehouse/ui/code';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { maskedText, RevealButton } from '@gatehouse/ui/secret-value';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SecretOnce } from '#components/credentials/SecretOnce.tsx';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { showLimit } from '#components/targets/show-target.ts';
import { useForgetting } from '#lib/forgetting.ts';
import { useConnection } from '#queries/session.ts';
import { connectCommand, waysToConnect, type WayToConnect } from './connect-command.ts';
import { credentialFields } from './session-credentials.ts';

export interface AuthorizedSessionProps {
  /** For its injected credentials; undefined while loading, or if it can't be read. */
  target: Pick<Target, 'injected_application_credential_sources'> | undefined;
  authorization: SessionAuthorization;
}

/** How to use an authorized session: the command, the endpoint, and masked credentials. */
export function AuthorizedSession({ target, authorization }: AuthorizedSessionProps) {
  const environment = useEnvironment();
  const isEmbedded = useConnection(environment.id, 'access')?.address === 'embedded';
  const ways = waysToConnect(authorization.type, authorization.endpoint);
  const [way, setWay] = useState<WayToConnect>(ways[0]?.value ?? 'tcp');
  const [isShown, setShown] = useState(false);
  useForgetting(() => {
    setShown(false);
  });
  const userName = authorization.credentials
    .map(({ credential }) => credential['username'])
    .find((name): name is string => typeof name === 'string' && name !== '');
  const injected = target?.injected_application_credential_sources.length ?? 0;
  const command = (token: string): string =>
    connectCommand(way, { token, userName, endpoint: authorization.endpoint });
  const real = command(authorization.authorization_token);
  return (
    <div className="flex flex-col gap-5">
      {isEmbedded && (
        <Banner tone="info" announce="none" title="The embedded access controller has no worker">
          It authorizes, limits and ends sessions, but nothing carries their traffic. This one stays pending
          until it ends.
        </Banner>
      )}
      <section aria-label="Command" className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <SegmentedControl label="Connect with" segments={ways} value={way} onChange={setWay} />
          <RevealButton what="the token" isShown={isShown} onChange={setShown} />
        </div>
        <CodeBlock
          label="Command"
          code={isShown ? real : real.replace(authorization.authorization_token, maskedText)}
          copyText={real}
          isSecret
          isWrapped
        />
        <p className="text-meta text-ink-2">
          Paste it into a terminal on this computer. The token opens only this session. Anyone who has it can
          connect as you.
        </p>
      </section>
      <div className="-my-2">
        <KeyValueList
          items={[
            {
              label: 'Endpoint',
              value: authorization.endpoint,
              isMono: true,
              copyText: authorization.endpoint,
            },
            ...(authorization.host_id === ''
              ? []
              : [{ label: 'Host', value: authorization.host_id, isMono: true }]),
            {
              label: 'Ends',
              value: (
                <>
                  <Time value={authorization.expiration} /> (
                  <Time value={authorization.expiration} isRelative />)
                </>
              ),
            },
            { label: 'Connections', value: showLimit(authorization.connection_limit) },
            {
              label: 'Session',
              value: (
                <Link
                  to="/$environment/sessions"
                  params={{ environment: environment.id }}
                  search={{ session: authorization.session_id }}
                  className="font-mono text-meta/5 text-accent underline"
                >
                  {authorization.session_id}
                </Link>
              ),
              copyText: authorization.session_id,
            },
          ]}
        />
      </div>
      <section aria-label="Credentials" className="flex flex-col gap-3">
        <h3 className="text-body font-semibold text-ink-1">Credentials</h3>
        {injected > 0 ? (
          <p className="text-body text-ink-2">A worker enters injected credentials. You never see them.</p>
        ) : (
          authorization.credentials.length === 0 && (
            <p className="text-body text-ink-2">
              {target === undefined
                ? 'None were issued to you.'
                : 'The target has no credentials. Use your own at the endpoint.'}
            </p>
          )
        )}
        {authorization.credentials.map((credential) => (
          <Credential key={credential.credential_source.id} credential={credential} />
        ))}
      </section>
    </div>
  );
}

function Credential({ credential }: { credential: SessionCredential }) {
  const { id, name } = credential.credential_source;
  const fields = credentialFields(credential);
  return (
    <div className="rounded-control border border-line">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <span className="font-medium">{name === '' ? id : name}</span>
        {name !== '' && <span className="font-mono text-meta text-ink-2">{id}</span>}
        <Badge>Brokered</Badge>
        <span className="text-meta text-ink-2">Issued to you. Enter it at the endpoint.</span>
      </div>
      {fields.length > 0 && (
        <div className="px-3 py-1">
          <KeyValueList
            items={fields.map(({ label, text, isSecret }) =>
              isSecret
                ? { label, value: <SecretOnce label={label} text={text} /> }
                : { label, value: text, isMono: true, copyText: text },
            )}
          />
        </div>
      )}
    </div>
  );
}
