import type { ServiceName } from '@gatehouse/api-types/console/service';
import { useConnect } from '#queries/session.ts';
import { CredentialsForm } from '../credentials/CredentialsForm.tsx';
import { useSession } from '../environment/use-environment.ts';

/** Connects to a service, in place of its content. */
export function ConnectHere({
  environment,
  service,
  title,
  detail,
  code,
}: {
  environment: string;
  service: ServiceName;
  title: string;
  detail: string;
  /** Of the problem. */
  code?: string;
}) {
  const session = useSession();
  const connect = useConnect();
  const methods = session.environments
    .find(({ id }) => id === environment)
    ?.services.find((item) => item.service === service)?.methods;
  return (
    <section aria-label={title} className="mx-auto flex w-full max-w-88 flex-col gap-4 px-4 py-12">
      <div>
        <h2 className="text-heading font-semibold text-ink-1">{title}</h2>
        <p className="text-body text-ink-2">
          {detail}
          {code === 'no-access' && ' You can also connect with another account.'}
        </p>
      </div>
      <CredentialsForm
        environment={environment}
        methods={methods ?? ['password']}
        loginName={session.method === 'password' ? session.person.login_name : ''}
        submitLabel="Connect"
        onSubmit={(credentials) => connect.mutateAsync({ environment, service, credentials })}
      />
    </section>
  );
}
