import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { SecretValue } from '@gatehouse/ui/secret-value';
import { TextField } from '@gatehouse/ui/text-field';
import { toasts } from '@gatehouse/ui/toast';
import makeCode from 'qrcode-generator';
import { useState, useMemo } from 'react';
import { refusedCode } from '#components/credentials/two-factor.ts';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useBeginTwoFactor, useEnableTwoFactor } from '#queries/box-accounts.ts';
import { SecretFields } from './SecretFields.tsx';
import { useSecretForm } from './use-secret-form.ts';

/** The light modules around the code, which scanners need. */
const quiet = 4;

interface Begun {
  readonly secret: string;
  readonly otpauth_url: string;
}

/** Sets up the second factor: password, then the secret for an authenticator, then a code to confirm it. */
export function SetUpTwoFactor({ account, onClose }: { account: BoxAccount; onClose: () => void }) {
  const environment = useEnvironment();
  const begin = useBeginTwoFactor(environment.id);
  const form = useSecretForm();
  const [phone, setPhone] = useState('');
  const [phoneError, setPhoneError] = useState<string>();
  const [begun, setBegun] = useState<Begun>();
  if (begun !== undefined) return <Confirm begun={begun} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!begin.isPending) onClose();
      }}
      size="small"
      title="Set up a second factor"
      onSubmit={(event) => {
        event.preventDefault();
        const given = form.read();
        const number = phone.replaceAll(/[\s()-]/g, '');
        const isNumber = number === '' || /^\+[1-9][0-9]{6,14}$/.test(number);
        setPhoneError(
          isNumber ? undefined : 'Enter a phone number with its country code, such as +15551234567.',
        );
        if (given === undefined || !isNumber || begin.isPending) return;
        begin.mutate(
          { password: given.password, ...(number !== '' && { phone: number }) },
          { onSuccess: setBegun, onError: form.refuse },
        );
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={begin.isPending}>
            Continue
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SecretFields form={form} environment={environment.id} username={account.username} />
        <TextField
          label="Phone number"
          description="Optional. Codes can be sent there if you don't have the authenticator."
          type="tel"
          autoComplete="tel"
          placeholder="+15551234567"
          value={phone}
          onChange={setPhone}
          error={phoneError}
        />
      </div>
    </Dialog>
  );
}

function Confirm({ begun, onClose }: { begun: Begun; onClose: () => void }) {
  const environment = useEnvironment();
  const enable = useEnableTwoFactor(environment.id);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!enable.isPending) onClose();
      }}
      title="Scan the code with your authenticator"
      description="The second factor is turned on when you enter a code. If you close this first, nothing changes."
      onSubmit={(event) => {
        event.preventDefault();
        const given = code.replaceAll(/\s/g, '');
        if (enable.isPending) return;
        if (given === '') {
          setError('Enter the code that the authenticator shows.');
          return;
        }
        enable.mutate(given, {
          onSuccess: () => {
            toasts.ok({
              title: 'The second factor is on',
              detail: 'Signing in now requires a code.',
            });
            onClose();
          },
          onError: (failure) => {
            setError(
              isApiError(failure, 'sign-in-failed', 'two-factor-required')
                ? refusedCode
                : wordsOf(failure).detail,
            );
          },
        });
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={enable.isPending}>
            Confirm
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-4">
          <QrCode text={begun.otpauth_url} label="Code to scan with an authenticator" />
          <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2 text-body">
            <p className="text-ink-2">No camera? Type this key into the authenticator instead.</p>
            <SecretValue label="Key" text={begun.secret} />
          </div>
        </div>
        <Banner tone="warn" title="Shown once" announce="none">
          Store the key somewhere safe. If you lose both the key and the authenticator, an administrator of
          the registry has to remove the second factor.
        </Banner>
        <TextField
          label="Code"
          description="The six digits that the authenticator shows."
          inputMode="numeric"
          autoComplete="one-time-code"
          isMono
          autoFocus
          value={code}
          onChange={setCode}
          error={error}
        />
      </div>
    </Dialog>
  );
}

/** A QR code for a phone, always dark on light, which scanners expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawing(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      className="size-44 shrink-0 rounded-control border border-line"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function drawing(text: string): { size: number; path: string } {
  const code = makeCode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (code.isDark(row, column)) path += `M${String(column + quiet)} ${String(row + quiet)}h1v1h-1z`;
    }
  }
  return { size: count + 2 * quiet, path };
}
