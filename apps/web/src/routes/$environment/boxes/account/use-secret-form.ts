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
  /** Asked for once the registry wants a code. */
  readonly twoFactor: TwoFactor | undefined;
  readonly code: string;
  readonly setCode: (code: string) => void;
  readonly codeError: string | undefined;
  /** What was refused and belongs to no field. */
  readonly failure: { readonly title: string; readonly detail: string } | undefined;
  /** What is to be sent; undefined where something is missing, which is said then. */
  readonly read: () => { readonly password: string; readonly code?: string } | undefined;
  /** Puts what was refused where it belongs. */
  readonly refuse: (error: unknown) => void;
}

/** The password, and the code of the second factor where the registry wants one, that an operation asks for. */
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
      // Where both are asked for at once, the registry does not tell which it was.
      else setCodeError('The password or the code is wrong, or the code was already used.');
    },
  };
}
