import type { BoxAccount } from '@gatehouse/api-types/console/box-accounts';
import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { toasts } from '@gatehouse/ui/toast';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { useDisableTwoFactor } from '#queries/box-accounts.ts';
import { SecretFields } from './SecretFields.tsx';
import { useSecretForm } from './use-secret-form.ts';

/** Removes the second factor, with the password and a code. */
export function RemoveTwoFactor({ account, onClose }: { account: BoxAccount; onClose: () => void }) {
  const environment = useEnvironment();
  const disable = useDisableTwoFactor(environment.id);
  const hasPhone = account.two_factor?.destination !== null;
  const form = useSecretForm({
    default_delivery_method: 'app',
    delivery_methods: hasPhone ? ['app', 'sms'] : ['app'],
    refused: false,
  });
  return (
    <Dialog
      isOpen
      onOpenChange={() => {
        if (!disable.isPending) onClose();
      }}
      size="small"
      title="Remove the second factor?"
      description="Afterwards, only your password is required to sign in and create tokens."
      onSubmit={(event) => {
        event.preventDefault();
        const given = form.read();
        if (given?.code === undefined || disable.isPending) return;
        disable.mutate(
          { password: given.password, code: given.code },
          {
            onSuccess: () => {
              toasts.ok({ title: 'The second factor is off' });
              onClose();
            },
            onError: form.refuse,
          },
        );
      }}
      footer={
        <>
          <Button onPress={onClose}>Keep it</Button>
          <Button type="submit" variant="danger" isPending={disable.isPending}>
            Remove
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SecretFields form={form} environment={environment.id} username={account.username} />
      </div>
    </Dialog>
  );
}
