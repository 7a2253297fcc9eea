import * as at from '@gatehouse/api-types/console/addresses/modules';
import type { ModuleToken } from '@gatehouse/api-types/console/module-operations';
import { ConfirmDialog } from '@gatehouse/ui/confirm-dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useLadder } from '#components/guards/use-ladder.ts';
import { isApiError } from '#lib/api-error.ts';
import { failureTitle, wordsOf } from '#lib/error-words.ts';
import { useRevokeModuleToken } from '#queries/module-changes.ts';

/** Asks before a token is revoked. */
export function RevokeToken({
  environment,
  token: { id, description },
  onClose,
}: {
  environment: string;
  token: ModuleToken;
  onClose: () => void;
}) {
  const revoke = useRevokeModuleToken(environment);
  const name = description || id;
  const { asks } = useLadder(at.moduleTokens.revoke.harm, name);
  const isRefused = revoke.isError && !isApiError(revoke.error, 'confirmation-required');
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={() => {
        if (!revoke.isPending) onClose();
      }}
      title={`Revoke token "${name}"?`}
      confirmLabel="Revoke token"
      {...asks}
      isPending={revoke.isPending}
      errorTitle={failureTitle(revoke.error)}
      error={isRefused ? wordsOf(revoke.error).detail : undefined}
      impacts={[
        { kind: 'breaks', text: 'The registry refuses clients that use this token.' },
        {
          kind: 'worth-knowing',
          text: "Modules published with it are kept. This can't be undone.",
        },
      ]}
      onConfirm={() => {
        revoke.mutate(id, {
          onSuccess: () => {
            toasts.ok({ title: 'Token revoked' });
            onClose();
          },
          onError: (error) => {
            if (!isApiError(error, 'not-found')) return;
            toasts.info({ title: 'The token was already revoked' });
            onClose();
          },
        });
      }}
    />
  );
}
