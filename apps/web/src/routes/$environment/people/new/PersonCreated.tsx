import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { PasswordOnce } from '../PasswordOnce.tsx';

/** Reports that a person was created, with the password to hand over. */
export function PersonCreated({
  loginName,
  password,
  onClose,
}: {
  loginName: string;
  password: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={`${loginName} was created`}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <PasswordOnce loginName={loginName} password={password} />
    </Dialog>
  );
}
