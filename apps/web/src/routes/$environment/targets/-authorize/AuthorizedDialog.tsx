import { OnceDialog } from '#components/credentials/OnceDialog.tsx';
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
    <OnceDialog
      key="authorized"
      onClose={onClose}
      title={`Session on ${name}`}
      description="Shown once. It can't be shown again after you close this."
      size="large"
    >
      <AuthorizedSession {...authorized} />
    </OnceDialog>
  );
}
