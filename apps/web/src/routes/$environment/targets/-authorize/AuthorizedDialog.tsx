import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { AuthorizedSession, type AuthorizedSessionProps } from './AuthorizedSession.tsx';

export interface AuthorizedDialogProps extends AuthorizedSessionProps {
  /** Of the target, as it was asked for. */
  name: string;
  /** What was answered is forgotten with it. */
  onClose: () => void;
}

/** What comes with a session that was just authorized, shown once. */
export function AuthorizedDialog({ name, onClose, ...authorized }: AuthorizedDialogProps) {
  return (
    <Dialog
      key="authorized"
      isOpen
      onOpenChange={onClose}
      title={`Session on ${name}`}
      description="Shown once. It can't be shown again after you close this."
      size="large"
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <AuthorizedSession {...authorized} />
    </Dialog>
  );
}
