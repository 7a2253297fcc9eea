import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import { useState } from 'react';
import { refusedCode, twoFactorOf } from '#components/credentials/two-factor.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { watchFocus } from '#lib/focus.ts';

export interface SecretForm {
  readonly password: string;
  readonly setPassword: (password: string) => void;
  readonly passwordError: string | undefined;
  /** Present once the registry requires a code. */
  readonly twoFactor: TwoFactor | undefined;
  readonly code: string;
  readonly setCode: (code: string) => void;
  readonly codeError: string | undefined;
  /** An error that belongs to no field. */
  readonly failure: { readonly title: string; readonly detail: string } | undefined;
  /** The values to send; undefined if one is missing, which is then shown. */
  readonly read: () => { readonly password: string; readonly code?: string } | undefined;
  /** Shows an error at its field. */
  readonly refuse: (error: unknown) => void;
}

/** The form for the password, and for a two-factor code if the registry requires one. */
export function useSecretForm(initial?: TwoFactor): SecretForm {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [twoFactor, setTwoFactor] = useState(initial);
  const [passwordError, setPasswordError] = useState<string>();
  const [codeError, setCodeError] = useState<string>();
  const [failure, setFailure] = useState<SecretForm['failure']>();
  return {
    password,
    setPassword,
    passwordError,
    twoFactor,
    code,
    setCode,
    codeError,
    failure,
    read: () => {
      watchFocus();
      const given = code.trim();
      setPasswordError(password === '' ? 'Enter your password.' : undefined);
      setCodeError(twoFactor !== undefined && given === '' ? 'Enter the code.' : undefined);
      setFailure(undefined);
      if (password === '' || (twoFactor !== undefined && given === '')) return undefined;
      return { password, ...(twoFactor !== undefined && { code: given }) };
    },
    refuse: (error) => {
      const asked = twoFactorOf(error);
      if (asked !== undefined) {
        setTwoFactor(asked);
        setCode('');
        setCodeError(asked.refused ? refusedCode : undefined);
      } else if (!isApiError(error, 'sign-in-failed'))
        setFailure({ title: failureTitle(error), detail: wordsOf(error).detail });
      else if (initial === undefined) setPasswordError('This password is wrong.');
      // The registry doesn't report which of the two was wrong.
      else setCodeError('The password or the code is wrong, or the code was already used.');
    },
  };
}
