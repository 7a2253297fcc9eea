import { passwordCountsMs } from '@gatehouse/api-types/console/harm';
import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { lazy } from '@gatehouse/ui/lazy';
import { PasswordField } from '@gatehouse/ui/password-field';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState, type FormEvent } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { serviceLabels, wordsOf } from '#lib/error-words.ts';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import type { Interruption, InterruptionRequest } from '#lib/interruptions.ts';
import { adoptSession, startAnew } from '#lib/session.ts';
import {
  connectionsQuery,
  signInOptionsQuery,
  useConfirmSession,
  useConnect,
  useSignInAgain,
} from '#queries/session.ts';
import { CredentialsForm } from '../credentials/CredentialsForm.tsx';
import { refusedCode, sendCode, twoFactorOf } from '../credentials/two-factor.ts';
import { useCountdown } from '../credentials/use-countdown.ts';
import { useFirstFocus } from '../credentials/use-first-focus.ts';
import { useSession } from '../environment/use-environment.ts';

// Loaded on demand, because few accounts have a second factor.
const TwoFactorField = lazy(() => import('../credentials/TwoFactorField.tsx'));

/** Opens a dialog for what a request lacks. The page below stays mounted, with its unsaved edits. */
export function Interruptions({ interruption }: { interruption: Interruption | undefined }) {
  if (!interruption) return null;
  const { key, request } = interruption;
  switch (request.kind) {
    case 'signed-out':
      return <SignInAgain key={key} interruption={interruption} reason={request.reason} />;
    case 'not-connected':
      return <Reconnect key={key} interruption={interruption} request={request} />;
    case 'confirmation':
      return <Confirmation key={key} interruption={interruption} request={request} />;
  }
}

const reasons = {
  none: 'This browser no longer has a session.',
  idle: 'You have been inactive.',
  expired: 'The session reached its time limit.',
  ended: 'The session was ended, perhaps from another browser.',
} as const;

function SignInAgain({ interruption, reason }: { interruption: Interruption; reason: keyof typeof reasons }) {
  const session = useSession();
  const { data: options } = useQuery(signInOptionsQuery);
  const queryClient = useQueryClient();
  const signIn = useSignInAgain();
  const environment = (options ?? session).environments.find(({ id }) => id === session.environment);
  const service =
    environment?.services.find(({ methods }) => methods.includes(session.method)) ?? environment?.services[0];
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        interruption.settle(false);
      }}
      size="small"
      title="Sign in again"
      description={`${reasons[reason]} Sign in to continue.`}
    >
      <div className="pb-2">
        {environment && service && (
          <CredentialsForm
            environment={environment.id}
            methods={service.methods}
            loginName={session.method === 'password' ? session.person.login_name : ''}
            submitLabel="Sign in"
            onSubmit={async (credentials) => {
              const next = await signIn.mutateAsync({
                environment: environment.id,
                service: service.service,
                credentials,
              });
              if (!adoptSession(next)) return;
              interruption.settle(true);
              await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
              await queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey });
            }}
          >
            <p className="text-meta text-ink-2">
              Signing in as someone else? This page closes, and its unsaved changes are discarded.{' '}
              <button
                type="button"
                className="cursor-default text-accent underline underline-offset-2"
                onClick={() => {
                  void startAnew('/sign-in');
                }}
              >
                Leave now
              </button>
            </p>
          </CredentialsForm>
        )}
      </div>
    </Dialog>
  );
}

function Reconnect({
  interruption,
  request,
}: {
  interruption: Interruption;
  request: Extract<InterruptionRequest, { kind: 'not-connected' }>;
}) {
  const session = useSession();
  const connect = useConnect();
  const environment = session.environments.find(({ id }) => id === request.environment);
  const service = environment?.services.find((item) => item.service === request.service);
  if (!environment || !service) return null;
  const label = serviceLabels[service.service].toLowerCase();
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        interruption.settle(false);
      }}
      size="small"
      title={`Connect to the ${label}`}
      description={`You aren't connected to this service in ${environment.name}. Connect to continue.`}
    >
      <div className="pb-2">
        <CredentialsForm
          environment={environment.id}
          methods={service.methods}
          loginName={session.method === 'password' ? session.person.login_name : ''}
          submitLabel="Connect"
          onSubmit={async (credentials) => {
            await connect.mutateAsync({ environment: environment.id, service: service.service, credentials });
            interruption.settle(true);
          }}
        />
      </div>
    </Dialog>
  );
}

function Confirmation({
  interruption,
  request,
}: {
  interruption: Interruption;
  request: Extract<InterruptionRequest, { kind: 'confirmation' }>;
}) {
  const { detail, environment, service } = request;
  const session = useSession();
  const { method, login_name: loginName } = request.account ?? {
    method: session.method,
    login_name: session.person.login_name,
  };
  const confirm = useConfirmSession();
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string>();
  const [twoFactor, setTwoFactor] = useState<TwoFactor>();
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState<string>();
  const [waitSeconds, startWaiting] = useCountdown();
  const input = useRef<HTMLInputElement>(null);
  useFirstFocus(input);
  const what = method === 'password' ? 'password' : 'token';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (confirm.isPending || waitSeconds > 0) return;
    watchFocus();
    if (secret === '') {
      setError(`Enter your ${what}.`);
      input.current?.focus();
      return;
    }
    try {
      await confirm.mutateAsync({
        environment,
        ...(service !== undefined && { service }),
        secret,
        ...(twoFactor !== undefined && code.trim() !== '' && { two_factor_code: code.trim() }),
      });
      interruption.settle(true);
    } catch (failure) {
      const asked = twoFactorOf(failure);
      if (asked !== undefined) {
        setTwoFactor(asked);
        setError(undefined);
        setCode('');
        setCodeError(asked.refused ? refusedCode : undefined);
        return;
      }
      if (isApiError(failure)) startWaiting(failure.problem?.retryAfterSeconds ?? 0);
      setError(isApiError(failure, 'sign-in-failed') ? `Wrong ${what}.` : wordsOf(failure).detail);
      if (!mayMoveFocus()) return;
      input.current?.focus();
      input.current?.select();
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        interruption.settle(false);
      }}
      size="small"
      role="alertdialog"
      title="Confirm your password"
      description={`${detail === '' ? `This requires your ${what}.` : detail} You won't be asked again for ${String(passwordCountsMs / 60_000)} minutes.`}
      onSubmit={(event) => void submit(event)}
      footer={
        <>
          <Button
            onPress={() => {
              interruption.settle(false);
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={confirm.isPending}>
            {waitSeconds > 0 ? `Wait ${String(waitSeconds)} s` : 'Confirm'}
          </Button>
        </>
      }
    >
      {waitSeconds > 0 && <Banner tone="warn" title={`Too many attempts. Wait ${String(waitSeconds)} s`} />}
      <PasswordField
        label={method === 'password' ? 'Password' : 'Token'}
        autoComplete={method === 'password' ? 'current-password' : 'off'}
        value={secret}
        onChange={setSecret}
        inputRef={input}
        error={error}
      />
      {twoFactor !== undefined && (
        <Suspense fallback={null}>
          <div className="pt-4">
            <TwoFactorField
              twoFactor={twoFactor}
              value={code}
              onChange={setCode}
              error={codeError}
              onSend={method === 'password' ? () => sendCode(environment, loginName, secret) : undefined}
            />
          </div>
        </Suspense>
      )}
    </Dialog>
  );
}
