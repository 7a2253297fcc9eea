import { Banner } from '@gatehouse/ui/banner';
import { lazy } from '@gatehouse/ui/lazy';
import { PasswordField } from '@gatehouse/ui/password-field';
import { Suspense } from 'react';
import { sendCode } from '#components/credentials/two-factor.ts';
import type { SecretForm } from './use-secret-form.ts';

const TwoFactorField = lazy(() => import('#components/credentials/TwoFactorField.tsx'));

/** The fields of a `SecretForm`, with errors. */
export function SecretFields({
  form,
  environment,
  username,
}: {
  form: SecretForm;
  environment: string;
  username: string;
}) {
  return (
    <>
      <PasswordField
        label="Password"
        description={`The box registry requires the password of ${username}.`}
        autoComplete="current-password"
        value={form.password}
        onChange={form.setPassword}
        error={form.passwordError}
      />
      {form.twoFactor !== undefined && (
        <Suspense fallback={null}>
          <TwoFactorField
            twoFactor={form.twoFactor}
            value={form.code}
            onChange={form.setCode}
            error={form.codeError}
            onSend={() => sendCode(environment, username, form.password)}
          />
        </Suspense>
      )}
      {form.failure !== undefined && (
        <Banner tone="danger" title={form.failure.title}>
          {form.failure.detail}
        </Banner>
      )}
    </>
  );
}
