import type { Move } from '@gatehouse/api-types/console/moves';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { PasswordField } from '@gatehouse/ui/password-field';
import { useState } from 'react';
import { kindWords } from '#components/moves/move-kinds.ts';
import { hostOf } from '#components/moves/move-state.ts';
import { isApiError } from '#lib/api-error.ts';
import { wordsOf } from '#lib/error-words.ts';
import type { Asked } from './asked.ts';

/** Asks for the source's token, which isn't stored while a move rests. */
export function TokenQuestion({ move, asked, onClose }: { move: Move; asked: Asked; onClose: () => void }) {
  const [token, setToken] = useState('');
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { registry } = kindWords[move.kind];
  const host = hostOf(move.source.address);
  const submit = async (): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    try {
      await asked.act(token.trim());
      onClose();
    } catch (error) {
      // Closing the password question changes nothing, so no error is shown.
      setFailure(isApiError(error, 'confirmation-required') ? undefined : error);
      setPending(false);
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!isPending) onClose();
      }}
      size="small"
      title={asked.title}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void submit();
      }}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {asked.label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!move.owner.is_you && (
          <p className="text-body text-ink-2">
            It belongs to {move.owner.name || 'someone else'}. If you resume it, it becomes yours and uses
            your token for the {registry} here.
          </p>
        )}
        <PasswordField
          label={`Token for ${host}`}
          description={
            move.source.used_token
              ? 'The previous token was deleted. Enter it again, or leave this empty if everything is public.'
              : 'Leave this empty if everything is public.'
          }
          autoComplete="off"
          autoFocus
          value={token}
          onChange={setToken}
        />
        {failure !== undefined && (
          <Banner tone="danger" title={wordsOf(failure).title}>
            {wordsOf(failure).detail} {wordsOf(failure).mend}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
