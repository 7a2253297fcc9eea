import { Button } from '@gatehouse/ui/button';
import { Dialog } from '@gatehouse/ui/dialog';
import { AuthorizedSession, type AuthorizedSessionProps } from './AuthorizedSession.tsx';

export interface AuthorizedDialogProps extends AuthorizedSessionProps {
  /** The target's name, as requested. */
  name: string;
  /** Also discards the authorization. */
  onClose: () => void;
}

/** Shows the token and credentials of a newly authorized session once. */
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
