import { OnceDialog } from '#components/credentials/OnceDialog.tsx';
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
    <OnceDialog title={`${loginName} was created`} onClose={onClose}>
      <PasswordOnce loginName={loginName} password={password} />
    </OnceDialog>
  );
}
