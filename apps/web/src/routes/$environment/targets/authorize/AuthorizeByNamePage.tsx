import { Button } from '@gatehouse/ui/button';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { TextField } from '@gatehouse/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { AsCode } from '#components/form/AsCode.tsx';
import { scopeName } from '#components/targets/scope-name.ts';
import { isApiError } from '#lib/api-error.ts';
import { mayMoveFocus, watchFocus } from '#lib/focus.ts';
import { queryClient } from '#lib/query-client.ts';
import { useAuthorizeSessionByName } from '#queries/access-sessions.ts';
import { scopesQuery, targetQuery } from '#queries/access.ts';
import { AuthorizationFailure } from '../-authorize/AuthorizationFailure.tsx';
import { AuthorizedDialog } from '../-authorize/AuthorizedDialog.tsx';
import { byNameSearch } from './by-name-search.ts';
import {
  bodyOf,
  byNameAsCode,
  type ByNameFields,
  type ByNameProblems,
  problemsFrom,
  problemsOf,
} from './by-name.ts';

export const Route = createFileRoute('/$environment/targets/authorize/')({
  validateSearch: byNameSearch.parse,
  loader: ({ params: { environment } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
  },
  component: AuthorizeByNamePage,
});

const route = getRouteApi('/$environment/targets/authorize/');

/** Authorizes a session by the target's name, for users who don't know its ID. */
function AuthorizeByNamePage() {
  usePageTitle('Authorize session by name');
  const environment = useEnvironment();
  const navigate = useNavigate();
  const search = route.useSearch();
  const params = { environment: environment.id };
  const scopes = useQuery(scopesQuery(environment.id));
  const authorize = useAuthorizeSessionByName(environment.id);
  const [fields, setFields] = useState<ByNameFields>(() => ({
    name: search.name ?? '',
    scopeBy: search.scope === undefined ? 'name' : 'id',
    scope: search.scope ?? search.scope_name ?? '',
    host: '',
  }));
  const [problems, setProblems] = useState<ByNameProblems>({});
  const inputs = {
    name: useRef<HTMLInputElement>(null),
    scope: useRef<HTMLInputElement>(null),
    host: useRef<HTMLInputElement>(null),
  };
  const authorized = authorize.data;
  // Only the target contains its injected credentials; users who can't read it see only the brokered ones.
  const target = useQuery({
    ...targetQuery(environment.id, authorized?.target_id ?? ''),
    enabled: authorized !== undefined,
    retry: false,
  });

  const show = (found: ByNameProblems): void => {
    setProblems(found);
    const first = (['name', 'scope', 'host'] as const).find((field) => found[field] !== undefined);
    if (first !== undefined && mayMoveFocus()) inputs[first].current?.focus();
  };
  const change = (next: Partial<ByNameFields>): void => {
    const changed = { ...fields, ...next };
    setFields(changed);
    // The error was for other values.
    if (authorize.isError) authorize.reset();
    setProblems((known) => Object.fromEntries(Object.entries(known).filter(([field]) => !(field in next))));
    const { name, scope, scopeBy } = changed;
    // The address keeps the request, never the response.
    void navigate({
      to: '/$environment/targets/authorize',
      params,
      search: {
        ...(name !== '' && { name }),
        ...(scope !== '' && (scopeBy === 'id' ? { scope } : { scope_name: scope })),
      },
      replace: true,
    });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (authorize.isPending) return;
    watchFocus();
    const found = problemsOf(fields);
    show(found);
    if (Object.keys(found).length > 0) return;
    authorize.mutate(bodyOf(fields), {
      onError: (error) => {
        if (isApiError(error, 'invalid-request')) show(problemsFrom(error.problem?.fields ?? []));
      },
    });
  };

  const { error } = authorize;
  const known = scopes.data?.find(({ id, name }) =>
    fields.scopeBy === 'id' ? id === fields.scope.trim() : name !== '' && name === fields.scope.trim(),
  );
  return (
    <>
      <PageHeader
        icon={Plug}
        title="Authorize session by name"
        ancestors={[{ id: 'targets', label: 'Targets', href: `/${environment.id}/targets` }]}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-300 flex-col gap-8 p-4 wide:flex-row wide:p-6">
          <form
            noValidate
            aria-label="Authorize session by name"
            onSubmit={submit}
            className="flex min-w-0 flex-1 flex-col gap-5 wide:max-w-130"
          >
            <p className="text-body text-ink-2">
              Authorize a session for yourself on a target in {environment.name} whose name you know. The
              session's token and credentials are shown once.
            </p>
            <TextField
              label="Target"
              description="The exact name."
              isRequired
              autoFocus
              autoComplete="off"
              spellCheck="false"
              value={fields.name}
              inputRef={inputs.name}
              error={problems.name}
              onChange={(name) => {
                change({ name });
              }}
            />
            <div className="flex flex-col gap-1.5">
              <TextField
                label="Project"
                description={`The ${fields.scopeBy} of its project.`}
                isRequired
                isMono={fields.scopeBy === 'id'}
                autoComplete="off"
                spellCheck="false"
                placeholder={fields.scopeBy === 'id' ? 'p_1234567890' : 'payments'}
                value={fields.scope}
                inputRef={inputs.scope}
                error={problems.scope}
                onChange={(scope) => {
                  change({ scope });
                }}
              />
              <div className="flex flex-wrap items-center gap-3">
                <SegmentedControl
                  label="Identify project by"
                  value={fields.scopeBy}
                  onChange={(scopeBy) => {
                    // Switches between the project's ID and name if both are known.
                    const other = scopeBy === 'id' ? known?.id : known?.name;
                    change({ scopeBy, scope: other ?? fields.scope });
                  }}
                  segments={[
                    { value: 'name', label: 'By name' },
                    { value: 'id', label: 'By ID' },
                  ]}
                />
                <span role="status" className="text-meta text-ink-2">
                  {known !== undefined && (fields.scopeBy === 'id' ? scopeName(known) : known.id)}
                </span>
              </div>
            </div>
            <TextField
              label="Host"
              description="The ID of a host in the target's host sets. Leave empty to let the controller choose."
              isMono
              autoComplete="off"
              spellCheck="false"
              placeholder="hst_1234567890"
              value={fields.host}
              inputRef={inputs.host}
              error={problems.host}
              onChange={(host) => {
                change({ host });
              }}
            />
            {error !== null && Object.keys(problems).length === 0 && (
              <AuthorizationFailure
                error={error}
                notFound={{
                  title: 'No such target',
                  detail:
                    "You can't see a project with this name that contains this target, or the target has nothing to connect to.",
                }}
              />
            )}
            <div className="flex gap-2">
              <Button type="submit" variant="primary" icon={Plug} isPending={authorize.isPending}>
                Authorize session
              </Button>
            </div>
          </form>
          <aside className="min-w-0 flex-1 wide:max-w-110">
            <AsCode
              code={byNameAsCode(fields)}
              note="To authorize the session without the console, set BOUNDARY_ADDR to the access controller's address and BOUNDARY_TOKEN to your token."
            />
          </aside>
        </div>
      </div>
      {authorized && !target.isLoading && (
        <AuthorizedDialog
          name={target.data?.name ?? fields.name.trim()}
          target={target.data}
          authorization={authorized}
          onClose={() => {
            authorize.reset();
          }}
        />
      )}
    </>
  );
}
