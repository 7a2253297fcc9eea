import { session } from '@gatehouse/api-types/console/addresses/session';
import type { Environment, SignInOptions } from '@gatehouse/api-types/console/session';
import { Banner } from '@gatehouse/ui/banner';
import { GateRail } from '@gatehouse/ui/environment';
import { GateIcon, Icon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { Suspense, useEffect, useState } from 'react';
import { CredentialsForm } from '#components/credentials/CredentialsForm.tsx';
import { call } from '#lib/api.ts';
import { showEnvironment } from '#lib/document-head.ts';
import { serviceLabels } from '#lib/error-words.ts';
import type { SignInSearch } from './search.ts';

// Loaded after the form: a control that few installations need, and decoration.
const RadioGroup = lazy(async () => ({ default: (await import('@gatehouse/ui/radio-group')).RadioGroup }));
const GateDrawing = lazy(async () => ({ default: (await import('./GateDrawing.tsx')).GateDrawing }));

const reasons = {
  idle: 'You were signed out because of inactivity.',
  expired: 'Your session expired.',
  ended: 'Your session was ended.',
} as const;

export interface SignInPageProps {
  search: SignInSearch;
  options: SignInOptions;
}

export function SignInPage({ search, options }: SignInPageProps) {
  const wanted = search.return?.split(/[/?#]/)[1];
  const [environmentId, setEnvironmentId] = useState(
    () => (options.environments.find(({ id }) => id === wanted) ?? options.environments[0])?.id ?? '',
  );
  const environment = options.environments.find(({ id }) => id === environmentId);
  const offered = environment?.services.filter(({ methods }) => methods.length > 0) ?? [];
  const [serviceName, setServiceName] = useState<string>();
  const service = offered.find((item) => item.service === serviceName) ?? offered[0];

  useEffect(() => {
    showEnvironment('Sign in', environment);
  }, [environment]);

  return (
    <div className="flex min-h-dvh">
      <div className="fixed inset-y-0 start-0 z-10">
        {environment && <GateRail kind={environment.kind} />}
      </div>
      <aside className="relative hidden flex-1 overflow-hidden border-e border-line bg-sunken ps-1.5 wide:flex">
        <Suspense fallback={null}>
          <GateDrawing />
        </Suspense>
        <div className="absolute inset-x-0 top-0 h-72 bg-linear-to-b from-sunken from-40% to-transparent" />
        <div className="relative flex flex-col gap-3 p-12">
          <span className="flex items-center gap-2.5 text-title font-semibold text-ink-1">
            <span className="text-accent">
              <Icon icon={GateIcon} size={24} />
            </span>
            Gatehouse
          </span>
          <p className="max-w-100 text-heading text-balance text-ink-2">
            Access, secrets, boxes and modules: one gate for the people who run them.
          </p>
        </div>
      </aside>
      <main className="flex flex-1 flex-col items-center justify-center bg-page px-6 py-12 wide:max-w-150">
        <div className="w-full max-w-80">
          <span className="mb-6 block text-accent wide:hidden">
            <Icon icon={GateIcon} size={32} />
          </span>
          <h1 className="text-title font-semibold text-ink-1">Sign in to Gatehouse</h1>
          <p className="mt-1 mb-6 text-body text-ink-2">{leadOf(environment)}</p>
          <div className="flex flex-col gap-5">
            {search.reason !== undefined && search.reason !== 'none' && (
              <Banner tone="info" title={reasons[search.reason]} announce="none">
                Sign in to return to where you were.
              </Banner>
            )}
            {options.environments.length > 1 && (
              <EnvironmentChoice
                environments={options.environments}
                value={environmentId}
                onChange={setEnvironmentId}
              />
            )}
            {environment && !haveSameAccounts(environment) && offered.length > 1 && (
              <Suspense fallback={null}>
                <RadioGroup
                  label="Service"
                  value={service?.service ?? null}
                  onChange={setServiceName}
                  options={offered.map((item) => ({
                    value: item.service,
                    label: serviceLabels[item.service],
                  }))}
                />
              </Suspense>
            )}
            {environment && service ? (
              <CredentialsForm
                key={`${environment.id} ${service.service}`}
                environment={environment.id}
                methods={service.methods}
                submitLabel={`Sign in to ${environment.name}`}
                onSubmit={async (credentials) => {
                  const signedIn = await call(session.signIn, {
                    body: { environment: environment.id, service: service.service, credentials },
                  });
                  window.location.replace(search.return ?? `/${signedIn.environment}`);
                  // The form stays as it is until the next document loads.
                  await new Promise<never>(() => undefined);
                }}
              />
            ) : (
              <Banner tone="warn" title="No sign-in is configured" announce="none">
                The configuration has no environment with a service you can sign in to.
              </Banner>
            )}
          </div>
        </div>
        <p className="mt-12 font-mono text-meta text-ink-3">Gatehouse {options.version}</p>
      </main>
    </div>
  );
}

/** Shows few environments with short names side by side; otherwise one per line. */
function EnvironmentChoice({
  environments,
  value,
  onChange,
}: {
  environments: readonly Environment[];
  value: string;
  onChange: (id: string) => void;
}) {
  const letters = environments.reduce((sum, { name }) => sum + name.length, 0);
  if (environments.length > 4 || letters > 34) {
    return (
      <Suspense fallback={null}>
        <RadioGroup
          label="Environment"
          value={value}
          onChange={onChange}
          options={environments.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Suspense>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <span aria-hidden className="text-body font-medium text-ink-1">
        Environment
      </span>
      <SegmentedControl
        label="Environment"
        size={32}
        segments={environments.map(({ id, name }) => ({ value: id, label: name }))}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

function leadOf(environment: Environment | undefined): string {
  if (!environment) return 'One console for your services.';
  const names = environment.services.map(({ service }) => serviceLabels[service].toLowerCase());
  const services = new Intl.ListFormat('en').format(names);
  return haveSameAccounts(environment) && names.length > 1
    ? `One account for the ${services}.`
    : `Sign in with an account of the ${services}.`;
}

/** Whether one account signs in to all services of an environment. */
function haveSameAccounts({ services }: Environment): boolean {
  return new Set(services.map(({ account_store: store }) => store)).size === 1;
}
