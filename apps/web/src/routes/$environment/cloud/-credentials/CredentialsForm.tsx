import type { CloudCredential, CredentialRequest } from '@gatehouse/api-types/console/cloud-credentials';
import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { cloudCredentialTypes, secondsOf, sessionNameLimit } from '@gatehouse/api-types/console/cloud-values';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { TextField } from '@gatehouse/ui/text-field';
import { useState } from 'react';
import { useFieldProblems } from '#components/form/use-field-problems.ts';
import { isApiError } from '#lib/api-error.ts';
import { durationInWords, tidyDuration } from '#lib/duration.ts';
import { wordsOf } from '#lib/error-words.ts';
import { generateCredentials, type CloudRolePlace } from '#queries/cloud-leases.ts';
import { providerCaps } from '../ttl-ladder.ts';
import { TtlLadder } from '../TtlLadder.tsx';
import { sentSessionName } from './credential-formats.ts';

/** Generated credentials with their request. */
export interface Issued {
  readonly credential: CloudCredential;
  readonly request: CredentialRequest;
}

interface CredentialsFormProps {
  place: CloudRolePlace;
  role: CloudRole;
  onIssued: (issued: Issued) => void;
}

const wrongTtl = 'Enter a duration such as 45m, 1h30m or 2h.';

function isWrongTtl(ttl: string): boolean {
  return ttl.trim() !== '' && !((secondsOf(ttl) ?? 0) > 0);
}

/** The request for credentials, with only the fields that the role's type uses. */
export function CredentialsForm({ place, role, onIssued }: CredentialsFormProps) {
  const { problems, form, refuse, refuseAnswer, clear } = useFieldProblems<HTMLFormElement>();
  const [from, setFrom] = useState<CredentialRequest['from']>('creds');
  const [roleArn, setRoleArn] = useState<string | null>(null);
  const [sessionName, setSessionName] = useState('');
  const [ttl, setTtl] = useState('');
  const [isTtlLeft, setTtlLeft] = useState(false);
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  const isEither = role.credential_type.includes(',');
  const type = isEither
    ? from === 'creds'
      ? 'iam_user'
      : 'federation_token'
    : cloudCredentialTypes.find((known) => known === role.credential_type);
  const isAssumed = type === 'assumed_role';
  const hasTtl = isAssumed || type === 'federation_token';
  const hasChoice = isAssumed && role.role_arns.length > 1;
  const most = Math.min(role.max_sts_ttl || Infinity, (type && providerCaps[type]) ?? Infinity);
  const sentName = sentSessionName(sessionName, sessionNameLimit);

  const submit = async (): Promise<void> => {
    if (isPending) return;
    const found = {
      ...(hasChoice &&
        roleArn === null && { role_arn: 'Choose the role to assume. This cloud role allows several.' }),
      ...(isAssumed &&
        sentName.length === 1 && { role_session_name: 'A session name needs at least 2 characters.' }),
      ...(hasTtl && isWrongTtl(ttl) && { ttl: wrongTtl }),
    };
    if (refuse(found)) return;
    const request: CredentialRequest = {
      from,
      ...(hasChoice && roleArn !== null && { role_arn: roleArn }),
      ...(isAssumed && sentName !== '' && { role_session_name: sentName }),
      ...(hasTtl && ttl.trim() !== '' && { ttl: ttl.trim() }),
    };
    setPending(true);
    setFailure(undefined);
    try {
      onIssued({ credential: await generateCredentials(place, request), request });
    } catch (error) {
      const fields = isApiError(error, 'invalid-request') ? (error.problem?.fields ?? []) : [];
      const known = fields.filter(({ path }) => ['role_arn', 'role_session_name', 'ttl'].includes(path));
      if (known.length > 0)
        refuseAnswer(Object.fromEntries(known.map(({ path, message }) => [path, message])));
      else setFailure(error);
      setPending(false);
    }
  };

  const words = failure === undefined ? undefined : wordsOf(failure);
  const command = `${place.mount}/${from}/${role.name}`;
  return (
    <form
      ref={form}
      noValidate
      aria-label="Generate credentials"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Card
        title="Generate credentials"
        footer="The credentials are shown once, only on this page. The console records that you requested them, but not their values."
      >
        <div className="flex max-w-160 flex-col gap-4">
          {role.invalid_data !== '' && (
            <Banner tone="warn" title="This role contains invalid data" announce="none">
              The server may refuse to issue credentials until you save a valid version.
            </Banner>
          )}
          {isEither && (
            <RadioGroup
              label="Credential type"
              description="This legacy role can issue either type."
              value={from}
              onChange={(chosen) => {
                setFrom(chosen === 'sts' ? 'sts' : 'creds');
              }}
              options={[
                { value: 'creds', label: 'An IAM user', description: 'Lasts as long as its lease' },
                { value: 'sts', label: 'A federation token', description: 'Expires automatically' },
              ]}
            />
          )}
          {hasChoice && (
            <RadioGroup
              label="Role to assume"
              isRequired
              value={roleArn}
              onChange={(chosen) => {
                setRoleArn(chosen);
                clear('role_arn');
              }}
              options={role.role_arns.map((arn) => ({ value: arn, label: arn }))}
              error={problems['role_arn']}
            />
          )}
          {isAssumed && !hasChoice && (
            <p className="text-body text-ink-2">
              Assumes{' '}
              <span className="font-mono text-meta wrap-anywhere text-ink-1">{role.role_arns[0]}</span>.
            </p>
          )}
          {isAssumed && (
            <TextField
              label="Session name"
              description="Appears in the provider's log. Leave empty to let the server choose one."
              isMono
              autoComplete="off"
              spellCheck="false"
              value={sessionName}
              onChange={setSessionName}
              error={problems['role_session_name']}
              help={`Up to ${String(sessionNameLimit)} letters, digits and + = , . @ _ -. Other characters become "-", and longer names are truncated.`}
            />
          )}
          {isAssumed && sentName !== sessionName.trim() && (
            <p role="status" className="-mt-2 text-meta text-ink-2">
              Sent as <span className="font-mono wrap-anywhere text-ink-1">{sentName}</span>
              {sessionName.trim().length > sessionNameLimit &&
                `, truncated to ${String(sessionNameLimit)} characters`}
              .
            </p>
          )}
          {hasTtl && (
            <>
              <TextField
                label="Lifetime"
                description={`Such as 15m or 2h. Leave empty to use the role's default. At most ${durationInWords(most)}, the limit of the ${role.max_sts_ttl === most ? 'role' : 'provider'}.`}
                isMono
                autoComplete="off"
                spellCheck="false"
                value={ttl}
                onChange={(text) => {
                  setTtl(text);
                  clear('ttl');
                }}
                onBlur={() => {
                  setTtl(tidyDuration(ttl));
                  setTtlLeft(true);
                }}
                error={problems['ttl'] ?? (isTtlLeft && isWrongTtl(ttl) ? wrongTtl : undefined)}
              />
              <TtlLadder
                type={type}
                requested={ttl}
                defaultTtl={role.default_sts_ttl}
                maxTtl={role.max_sts_ttl}
              />
            </>
          )}
          {type === 'iam_user' && (
            <p className="text-body text-ink-2">
              Creates an IAM user with its own access key. The key can take a few seconds to work everywhere.
              You can renew the lease; revoking it deletes the user.
            </p>
          )}
          {words !== undefined && (
            <Banner tone="danger" title={words.title}>
              {words.detail} {words.mend}
            </Banner>
          )}
          <div>
            <Button
              type="submit"
              variant="primary"
              isPending={isPending}
              disabledReason={
                role.may?.generate === false
                  ? `Your token can't read ${command} on the secrets server.`
                  : undefined
              }
            >
              Generate credentials
            </Button>
          </div>
        </div>
      </Card>
    </form>
  );
}
