import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import { buttonClass } from '@gatehouse/ui/button';
import { Spinner } from '@gatehouse/ui/spinner';
import { TextField } from '@gatehouse/ui/text-field';
import { useState, type Ref } from 'react';
import { wordsOf } from '#lib/error-words.ts';
import { mayMoveFocus } from '#lib/focus.ts';

export interface TwoFactorFieldProps {
  /** How codes can be delivered, according to the service. */
  twoFactor: TwoFactor;
  value: string;
  onChange: (code: string) => void;
  error?: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  /**
   * Sends a code and resolves to its destination; throws a refusal. Undefined if only authenticators provide
   * codes.
   */
  onSend?: (() => Promise<string>) | undefined;
}

/** A code of the second factor, from an authenticator or sent to the account's destination. */
export default function TwoFactorField({
  twoFactor,
  value,
  onChange,
  error,
  inputRef,
  onSend,
}: TwoFactorFieldProps) {
  const [sent, setSent] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const [takesFocus] = useState(mayMoveFocus);
  const canSend = onSend !== undefined && twoFactor.delivery_methods.includes('sms');
  const hasApp = twoFactor.delivery_methods.includes('app');
  const send = (): void => {
    if (isSending || onSend === undefined) return;
    setSending(true);
    setFailure(undefined);
    onSend()
      .then(setSent, (reason: unknown) => {
        setFailure(wordsOf(reason).detail);
      })
      .finally(() => {
        setSending(false);
      });
  };
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Code"
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck="false"
        isMono
        autoFocus={takesFocus}
        value={value}
        onChange={onChange}
        inputRef={inputRef}
        description={
          sent === undefined
            ? hasApp
              ? "From your authenticator app, for this account's second factor."
              : 'This account has a second factor.'
            : `Sent to ${sent}.`
        }
        error={error ?? failure}
      />
      {canSend && (
        <button
          type="button"
          onClick={send}
          aria-disabled={isSending}
          className={`${buttonClass({ variant: 'ghost', size: 28 })} self-start hover:bg-hover`}
        >
          {isSending && <Spinner label="Sending" />}
          {sent === undefined ? 'Send a code by SMS' : 'Send another code'}
        </button>
      )}
      <span role="status" className="sr-only">
        {sent === undefined ? '' : `A code was sent to ${sent}.`}
      </span>
    </div>
  );
}
