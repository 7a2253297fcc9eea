import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CodeBlock } from '@gatehouse/ui/code';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { maskedText, RevealButton, SecretValue } from '@gatehouse/ui/secret-value';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useCountdown } from '#components/credentials/use-countdown.ts';
import { Time } from '#components/environment/Time.tsx';
import { useSecretsClient } from '#components/form/secrets-client.ts';
import { mayAskBeforeLeaving } from '#lib/dirty-guard.ts';
import { durationInWords } from '#lib/duration.ts';
import { useForgetting } from '#lib/forgetting.ts';
import type { CloudRolePlace } from '#queries/cloud-leases.ts';
import { cloudRootQuery } from '#queries/cloud.ts';
import { RevokeLeases } from '../-leases/RevokeLeases.tsx';
import {
  environmentLines,
  jsonText,
  processOutput,
  processProfile,
  profileBlock,
  profileName,
  type Keys,
} from './credential-formats.ts';
import type { Issued } from './CredentialsForm.tsx';

const forms = [
  { value: 'environment', label: 'Environment' },
  { value: 'profile', label: 'Profile' },
  { value: 'json', label: 'JSON' },
  { value: 'process', label: 'credential_process' },
] as const;
type Form = (typeof forms)[number]['value'];

interface CredentialsOnceProps {
  place: CloudRolePlace;
  issued: Issued;
  /** The copied text includes the engine's region. */
  mayReadRoot: boolean;
  /** The credentials are discarded. */
  onDone: () => void;
}

/** Credentials just generated: masked, to copy once. They are gone when you leave the page. */
export function CredentialsOnce({ place, issued, mayReadRoot, onDone }: CredentialsOnceProps) {
  const { credential, request } = issued;
  const [form, setForm] = useState<Form>('environment');
  const [isShown, setShown] = useState(false);
  const [forgotten, setForgotten] = useState(0);
  const [isAsking, setAsking] = useState(false);
  const title = useRef<HTMLDivElement>(null);
  useEffect(() => {
    title.current?.focus();
  }, []);
  useForgetting(() => {
    setShown(false);
    setForgotten((count) => count + 1);
  });
  const blocker = useBlocker({
    shouldBlockFn: () => mayAskBeforeLeaving(),
    enableBeforeUnload: () => mayAskBeforeLeaving(),
    withResolver: true,
  });
  const client = useSecretsClient();
  const isUser = credential.security_token === null;
  const name = profileName(place.mount, place.role);
  // The engine's region, if you may read it.
  const region =
    useQuery({ ...cloudRootQuery(place), enabled: mayReadRoot, retry: false }).data?.region ?? '';
  const masked: Keys = {
    ...credential,
    secret_key: maskedText,
    security_token: isUser ? null : maskedText,
  };
  const written = (keys: Keys): string =>
    ({
      environment: (those: Keys) => environmentLines(those, region),
      profile: (those: Keys) => profileBlock(name, those, region),
      json: jsonText,
      process: processOutput,
    })[form](keys);
  return (
    <div
      ref={title}
      tabIndex={-1}
      role="group"
      aria-label="New credentials"
      className="flex flex-col gap-4 outline-none"
    >
      <Banner tone="warn" title="Shown once" announce="none">
        These credentials can't be shown again, so copy them before you leave this page. Anyone who has them
        can do what the role allows.
      </Banner>
      <Card
        title="Credentials"
        actions={
          <>
            {credential.lease_id !== '' && (
              <Button
                size={28}
                variant="ghost"
                onPress={() => {
                  setAsking(true);
                }}
              >
                Revoke
              </Button>
            )}
            <Button size={28} variant="primary" onPress={onDone}>
              Done
            </Button>
          </>
        }
      >
        <KeyValueList
          key={forgotten}
          items={[
            {
              label: 'Access key',
              value: credential.access_key,
              isMono: true,
              copyText: credential.access_key,
            },
            { label: 'Secret key', value: <SecretValue label="Secret key" text={credential.secret_key} /> },
            ...(credential.security_token === null
              ? []
              : [
                  {
                    label: 'Session token',
                    value: <SecretValue label="Session token" text={credential.security_token} />,
                  },
                ]),
            ...(credential.arn === ''
              ? []
              : [{ label: 'Session', value: credential.arn, isMono: true, copyText: credential.arn }]),
            ...(credential.expire_time === ''
              ? []
              : [{ label: 'Expires', value: <Expiry until={credential.expire_time} /> }]),
            {
              label: 'Lease',
              value: credential.lease_id,
              isMono: true,
              ...(credential.lease_id !== '' && { copyText: credential.lease_id }),
            },
          ]}
        />
      </Card>
      <section aria-label="Copy as" className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <SegmentedControl label="Copy as" segments={forms} value={form} onChange={setForm} />
          <RevealButton what="the secrets" isShown={isShown} onChange={setShown} />
        </div>
        <CodeBlock
          label={labels[form]}
          code={written(isShown ? credential : masked)}
          copyText={written(credential)}
          isSecret
          isWrapped
        />
        {form === 'process' && (
          <CodeBlock
            label="~/.aws/config"
            code={processProfile(
              name,
              {
                mount: place.mount,
                role: place.role,
                from: request.from,
                roleArn: request.role_arn,
                sessionName: request.role_session_name,
                ttl: request.ttl,
                region,
              },
              client,
            )}
            isWrapped
          />
        )}
        <p className="text-meta text-ink-2">{notes[form]}</p>
      </section>
      {isAsking && (
        <RevokeLeases
          place={place}
          leases={[{ id: credential.lease_id, renewable: isUser }]}
          onClose={(isRevoked) => {
            setAsking(false);
            if (isRevoked) onDone();
          }}
        />
      )}
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          isOpen
          onOpenChange={blocker.reset}
          title="Leave without the credentials?"
          confirmLabel="Leave"
          cancelLabel="Stay"
          tone="secondary"
          onConfirm={blocker.proceed}
        >
          The credentials can't be shown again. They stay valid until they expire or are revoked.
        </ConfirmDialog>
      )}
    </div>
  );
}

const labels: Readonly<Record<Form, string>> = {
  environment: 'Shell',
  profile: '~/.aws/credentials',
  json: 'JSON',
  process: 'Command output',
};

const notes: Readonly<Record<Form, string>> = {
  environment:
    'Paste the commands into a shell. The credentials apply to that shell and to programs started from it.',
  profile: 'Add the profile to ~/.aws/credentials, then select it with --profile or AWS_PROFILE.',
  json: 'A JSON object with the field names that STS uses.',
  process:
    "The first block is the output that a credential_process command prints. The second block requests new credentials from the secrets server each time and keeps no key on disk; it requires the server's command-line client and jq.",
};

const bySecond = 600;

/** When they expire, as a time and a countdown, in seconds near the end. */
function Expiry({ until }: { until: string }) {
  const [seconds, start] = useCountdown();
  useEffect(() => {
    start((Date.parse(until) - Date.now()) / 1000);
  }, [start, until]);
  return (
    <>
      <Time value={until} />{' '}
      <span role="timer" className={seconds === 0 ? 'text-danger' : 'text-ink-2'}>
        (
        {seconds === 0
          ? 'expired'
          : `in ${durationInWords(seconds > bySecond ? seconds - (seconds % 60) : seconds)}`}
        )
      </span>
    </>
  );
}
