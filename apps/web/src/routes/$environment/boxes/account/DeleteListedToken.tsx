import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { wordsOf } from '#lib/error-words.ts';
import { useDeleteBoxToken } from '#queries/box-accounts.ts';

export interface ListedToken {
  readonly token_hash: string;
  readonly description: string;
  readonly created_time: string;
  readonly last_used_time: string;
  /** Whether it is the console's own for this session. */
  readonly own: boolean;
}

/** Asks, then deletes a token that the registry lists. */
export function DeleteListedToken({ token, onClose }: { token: ListedToken; onClose: () => void }) {
  const environment = useEnvironment();
  const remove = useDeleteBoxToken(environment.id);
  const name = token.description === '' ? 'this token' : `token "${token.description}"`;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!remove.isPending) onClose();
      }}
      title={`Delete ${name}?`}
      confirmLabel="Delete token"
      isPending={remove.isPending}
      error={remove.isError ? wordsOf(remove.error).detail : undefined}
      impacts={[
        { kind: 'breaks', text: 'Clients that use it are refused from now on.' },
        { kind: 'worth-knowing', text: "This can't be undone: a new one is another token." },
      ]}
      onConfirm={() => {
        remove.mutate(
          { token_hash: token.token_hash },
          {
            onSuccess: ({ deleted }) => {
              toasts.ok({ title: deleted ? 'Token deleted' : 'The token was gone already' });
              onClose();
            },
          },
        );
      }}
    />
  );
}
