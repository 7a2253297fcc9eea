import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import type { SignInMethod } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { buttonClass } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { PasswordField } from '@gatehouse/ui/password-field';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Spinner } from '@gatehouse/ui/spinner';
import { TextField } from '@gatehouse/ui/text-field';
import { Suspense, useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import { refusedCode, sendCode, twoFactorOf } from './two-factor.ts';
import { useCountdown } from './use-countdown.ts';
import { useFirstFocus } from './use-first-focus.ts';

// Loaded on demand, because few accounts have a second factor.
const TwoFactorField = lazy(() => import('./TwoFactorField.tsx'));

export interface CredentialsFormProps {
  /** The service's environment, from which codes of the second factor can be sent. */
  environment: string;
  methods: readonly SignInMethod[];
  submitLabel: string;
  /** Prefilled if the user is known. */
  loginName?: string;
  /** Throws the server's refusal. The form shows it and stays as it is. */
  onSubmit: (credentials: Credentials) => Promise<unknown>;
  /** Between the fields and the button, or beside the button. */
  children?: ReactNode;
}

/** Loads the schema after the form is shown, because it would be a tenth of the download. */
const loadContract = () => import('@gatehouse/api-types/console/session');

type Errors = Partial<Record<'login_name' | 'password' | 'token' | 'two_factor_code', string>>;

const methodLabels: Readonly<Record<SignInMethod, string>> = { password: 'Password', token: 'Token' };

/** Login name and password, or a token, to sign in to a service. */
export function CredentialsForm({
  environment,
  methods,
  submitLabel,
  loginName = '',
  onSubmit,
  children,
}: CredentialsFormProps) {
  const [chosen, setChosen] = useState<SignInMethod>();
  const method = chosen !== undefined && methods.includes(chosen) ? chosen : (methods[0] ?? 'password');
  const [name, setName] = useState(loginName);
  const [secret, setSecret] = useState('');
  const [twoFactor, setTwoFactor] = useState<TwoFactor>();
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [waitSeconds, startWaiting] = useCountdown();
  const isCapsLockOn = useCapsLock();
  useEffect(() => void loadContract().catch(() => undefined), []);
  const nameInput = useRef<HTMLInputElement>(null);
  const reasonId = useId();
  const secretInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  useFirstFocus(loginName === '' && method === 'password' ? nameInput : secretInput);
  // Set at once, not at the next render, so that a second press doesn't submit again.
  const isBusy = useRef(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    // After success it stays pending until the form is replaced.
    if (isBusy.current || isPending || waitSeconds > 0) return;
    isBusy.current = true;
    watchFocus();
    try {
      await send();
    } catch (error) {
      // The schema couldn't be loaded.
      setFailure(error);
    } finally {
      isBusy.current = false;
    }
  }

  async function send(): Promise<void> {
    const { credentials } = await loadContract();
    const parsed = credentials.safeParse(
      method === 'password'
        ? {
            method,
            login_name: name,
            password: secret,
            ...(twoFactor !== undefined && { two_factor_code: code }),
          }
        : { method, token: secret },
    );
    if (!parsed.success) {
      const found: Errors = {};
      for (const { path, message } of parsed.error.issues) found[String(path[0]) as keyof Errors] ??= message;
      setErrors(found);
      const first =
        found.login_name !== undefined
          ? nameInput
          : found.two_factor_code !== undefined && found.password === undefined
            ? codeInput
            : secretInput;
      if (mayMoveFocus()) first.current?.focus();
      return;
    }
    setErrors({});
    setFailure(undefined);
    setPending(true);
    try {
      await onSubmit(parsed.data);
    } catch (error) {
      const asked = twoFactorOf(error);
      if (asked !== undefined) {
        setTwoFactor(asked);
        setCode('');
        setErrors(asked.refused ? { two_factor_code: refusedCode } : {});
        setPending(false);
        // A field that isn't rendered yet focuses itself.
        if (mayMoveFocus()) codeInput.current?.focus();
        return;
      }
      setFailure(error);
      if (isApiError(error)) startWaiting(error.problem?.retryAfterSeconds ?? 0);
      setPending(false);
      // Retrying usually means correcting the secret, not the name.
      if (!mayMoveFocus()) return;
      secretInput.current?.focus();
      secretInput.current?.select();
    }
  }

  // A rate limit that has passed isn't shown any more.
  const isOver = isApiError(failure, 'rate-limited') && waitSeconds === 0;
  const words = failure === undefined || isOver ? undefined : wordsOf(failure);
  const capsLock = isCapsLockOn ? 'Caps Lock is on.' : undefined;
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {methods.length > 1 && (
        <SegmentedControl
          label="Sign in with"
          segments={methods.map((value) => ({ value, label: methodLabels[value] }))}
          value={method}
          onChange={(value) => {
            setChosen(value);
            setSecret('');
            setTwoFactor(undefined);
            setErrors({});
            setFailure(undefined);
          }}
        />
      )}
      {method === 'password' && (
        <TextField
          label="Login name"
          name="username"
          autoComplete="username"
          spellCheck="false"
          value={name}
          onChange={setName}
          inputRef={nameInput}
          {...(errors.login_name !== undefined && { error: errors.login_name })}
        />
      )}
      <PasswordField
        key={method}
        label={methodLabels[method]}
        name={method}
        autoComplete={method === 'password' ? 'current-password' : 'off'}
        value={secret}
        onChange={setSecret}
        inputRef={secretInput}
        description={method === 'token' ? 'A token the service issued to you.' : undefined}
        error={(method === 'password' ? errors.password : errors.token) ?? undefined}
      />
      <p role="status" className="-mt-3 text-meta text-warn empty:hidden">
        {capsLock}
      </p>
      {method === 'password' && twoFactor !== undefined && (
        <Suspense fallback={null}>
          <TwoFactorField
            twoFactor={twoFactor}
            value={code}
            onChange={setCode}
            inputRef={codeInput}
            error={errors.two_factor_code}
            onSend={() => sendCode(environment, name.trim(), secret)}
          />
        </Suspense>
      )}
      {children}
      {words !== undefined && (
        <Banner tone="danger" title={words.title}>
          {waitSeconds > 0 ? `You can try again in ${waitSeconds} s.` : words.detail}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-2 pt-1">
        {/* A native button, because the sign-in page works without react-aria. */}
        <button
          type="submit"
          aria-disabled={isPending || waitSeconds > 0}
          aria-describedby={waitSeconds > 0 ? reasonId : undefined}
          className={`${buttonClass({ variant: 'primary', isFullWidth: true })} hover:bg-accent-strong`}
        >
          {isPending && <Spinner label="Working" />}
          {waitSeconds > 0 ? `Wait ${waitSeconds} s` : submitLabel}
        </button>
        <span id={reasonId} hidden>
          Too many attempts. Wait {waitSeconds} s.
        </span>
      </div>
    </form>
  );
}

/** Whether Caps Lock is on, according to the keys pressed so far. */
function useCapsLock(): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const read = (event: KeyboardEvent): void => {
      setOn(event.getModifierState('CapsLock'));
    };
    window.addEventListener('keydown', read);
    window.addEventListener('keyup', read);
    return () => {
      window.removeEventListener('keydown', read);
      window.removeEventListener('keyup', read);
    };
  }, []);
  return isOn;
}
