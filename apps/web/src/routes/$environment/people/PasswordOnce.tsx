import { Banner } from '@gatehouse/ui/banner';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { SecretOnce } from '#components/credentials/SecretOnce.tsx';

/** A new password to hand over, which is shown only here. */
export function PasswordOnce({ loginName, password }: { loginName: string; password: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Banner tone="warn" title="Shown once" announce="none">
        The password can't be shown again. Pass it on securely. The user can change it after signing in.
      </Banner>
      <div className="-my-2">
        <KeyValueList
          items={[
            { label: 'Login name', value: loginName, isMono: true, copyText: loginName },
            { label: 'Password', value: <SecretOnce label="Password" text={password} /> },
          ]}
        />
      </div>
    </div>
  );
}
