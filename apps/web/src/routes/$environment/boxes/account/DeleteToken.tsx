import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useLadder } from '#components/guards/use-ladder.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { useDeleteBoxToken } from '#queries/box-accounts.ts';

/**
 * Asks before deleting a token.
 * @param description the token's description in the registry; may be empty
 */
export function DeleteToken({
  token,
  description,
  onClose,
}: {
  token: { token: string } | { token_hash: string };
  description: string;
  onClose: () => void;
}) {
  const environment = useEnvironment();
  const remove = useDeleteBoxToken(environment.id);
  const name = description === '' ? 'this token' : `token "${description}"`;
  const { asks } = useLadder(at.boxTokens.delete.harm, description || 'token');
  const isRefused = remove.isError && !isApiError(remove.error, 'confirmation-required');
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!remove.isPending) onClose();
      }}
      title={`Delete ${name}?`}
      confirmLabel="Delete token"
      {...asks}
      isPending={remove.isPending}
      errorTitle={failureTitle(remove.error)}
      error={isRefused ? wordsOf(remove.error).detail : undefined}
      impacts={[
        { kind: 'breaks', text: 'Clients that use the token will be refused.' },
        { kind: 'worth-knowing', text: "This can't be undone. Those clients need a new token." },
      ]}
      onConfirm={() => {
        remove.mutate(token, {
          onSuccess: ({ deleted }) => {
            toasts.ok({ title: deleted ? 'Token deleted' : 'The token was already deleted' });
            onClose();
          },
        });
      }}
    />
  );
}
