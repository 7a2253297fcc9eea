import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { PasswordField } from '@gatehouse/ui/password-field';
import { useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useValidateBoxToken } from '#queries/box-accounts.ts';
import { DeleteToken } from './DeleteToken.tsx';

/** Checks whether the registry accepts a token, and whose it is. You can then delete it. */
export function CheckToken({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment();
  const check = useValidateBoxToken(environment.id);
  const [token, setToken] = useState('');
  const [error, setError] = useState<string>();
  const [isDeleting, setDeleting] = useState(false);
  const answer = check.data;
  const change = (text: string): void => {
    setToken(text);
    setError(undefined);
    // The result was for another token.
    check.reset();
  };
  const submit = (): void => {
    const given = token.trim();
    if (check.isPending) return;
    if (!/^[\x21-\x7e]{1,4096}$/.test(given)) {
      setError(
        given === ''
          ? 'Enter the token.'
          : 'Enter a token of at most 4,096 printable ASCII characters, without spaces.',
      );
      return;
    }
    check.mutate(given);
  };
  const failure = check.error;
  if (isDeleting) return <DeleteToken token={{ token: token.trim() }} description="" onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!check.isPending) onClose();
      }}
      size="small"
      title="Check a token"
      description="Checks whether the registry accepts the token, and who owns it."
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Close</Button>
          {answer?.valid === true && (
            <Button
              variant="danger"
              disabledReason={
                answer.own
                  ? 'The console uses it for this session. Disconnect in Connections instead.'
                  : undefined
              }
              onPress={() => {
                setDeleting(true);
              }}
            >
              Delete this token
            </Button>
          )}
          <Button type="submit" variant="primary" isPending={check.isPending}>
            Check
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <PasswordField
          label="Token"
          autoComplete="off"
          autoFocus
          value={token}
          onChange={change}
          error={error}
        />
        {answer !== undefined && (
          <Banner
            tone={answer.valid ? 'ok' : 'warn'}
            title={
              answer.valid ? 'The registry accepts this token' : "The registry doesn't accept this token"
            }
          >
            {answer.valid
              ? `${answer.username === null ? "Its owner isn't reported." : `It belongs to ${answer.username}.`}${answer.own ? ' The console uses it for this session.' : ' If you delete it, clients that use it are refused.'}`
              : 'The token was mistyped or deleted, has expired, or belongs to another registry.'}
          </Banner>
        )}
        {failure !== null && (
          <Banner tone="danger" title={wordsOf(failure).title}>
            {wordsOf(failure).detail}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
