import type { Scope } from '@gatehouse/api-types/console/scopes';
import { fieldsOfTarget, target as targetSchema, type Target } from '@gatehouse/api-types/console/targets';
import { buttonClass } from '@gatehouse/ui/button';
import { ErrorState } from '@gatehouse/ui/error-state';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Lock, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Failure } from '#components/errors/Failure.tsx';
import { AsCode } from '#components/form/AsCode.tsx';
import type { Choice } from '#components/form/record-form.ts';
import { RecordFormView } from '#components/form/RecordFormView.tsx';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { useEnvironment } from '#components/layout/use-environment.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { scopeName } from '#components/targets/scope-name.ts';
import { scopesQuery, targetQuery, useCreateTarget } from '#queries/access.ts';
import { projectsToCreateIn, reasonAgainstCreating } from '../may.ts';
import { createTargetAsCode } from '../target-as-code.ts';
import {
  blankTarget,
  knownType,
  newTargetBody,
  newTargetForm,
  type NewTargetFields,
} from '../target-form.ts';

const route = getRouteApi('/$environment/targets/new/');

export function NewTargetPage() {
  const { from, scope } = route.useSearch();
  const environment = useEnvironment();
  const scopes = useQuery(scopesQuery(environment.id));
  const origin = useQuery({ ...targetQuery(environment.id, from ?? ''), enabled: from !== undefined });
  const title = from === undefined ? 'New target' : 'Clone target';
  usePageTitle(title);
  const failed = [scopes, origin].find(({ isError }) => isError);
  const isReady = scopes.data !== undefined && (from === undefined || origin.data !== undefined);
  const cannotCreate = reasonAgainstCreating(scopes.data);
  return (
    <>
      <PageHeader
        icon={Plus}
        title={title}
        ancestors={[{ id: 'targets', label: 'Targets', href: `/${environment.id}/targets` }]}
      />
      {failed ? (
        <Failure error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !isReady ? (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading what the form needs" lines={8} />
        </div>
      ) : cannotCreate !== undefined ? (
        <ErrorState
          icon={Lock}
          title="You cannot create targets"
          why={cannotCreate}
          action={
            <Link
              to="/$environment/targets"
              params={{ environment: environment.id }}
              className={buttonClass()}
            >
              Go to the list
            </Link>
          }
        />
      ) : (
        <NewTarget key={from ?? ''} scopes={scopes.data ?? []} origin={origin.data} scope={scope} />
      )}
    </>
  );
}

function NewTarget({
  scopes,
  origin,
  scope,
}: {
  scopes: readonly Scope[];
  origin: Target | undefined;
  scope: string | undefined;
}) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useCreateTarget(environment.id);
  const params = { environment: environment.id };
  const projects = projectsToCreateIn(scopes);
  const choices: readonly Choice[] = projects.map((project) => {
    const parent = scopes.find(({ id }) => id === project.parent_scope_id);
    const path = parent === undefined ? '' : `${scopeName(parent)} / `;
    return { value: project.id, label: `${path}${scopeName(project)}`, description: project.id };
  });
  const [initial] = useState<NewTargetFields>(() => beginning(origin, projects, scope));
  const madeId = useRef('');
  const [type, setType] = useState(initial.type);
  const [spec, setSpec] = useState(() => newTargetForm(type, choices));
  const form = useRecordForm<NewTargetFields>({
    spec,
    stored: { record: initial, revision: null },
    readRecord: (current) => {
      const stored = targetSchema.parse(current);
      return { ...fieldsOfTarget(stored), scope_id: stored.scope_id, type: knownType(stored.type) ?? 'tcp' };
    },
    write: async (values, stored) => {
      const made = await create.mutateAsync(newTargetBody(values));
      madeId.current = made.id;
      toasts.ok({ title: `Target ${made.name} created` });
      return { ...stored, record: values };
    },
    onSaved: () =>
      void navigate({
        to: '/$environment/targets/$id',
        params: { ...params, id: madeId.current },
        replace: true,
      }),
  });
  // What is asked for depends on the type, which is part of what is asked.
  const chosen = form.values.type;
  if (chosen !== type) {
    setType(chosen);
    setSpec(newTargetForm(chosen, choices));
  }
  return (
    <RecordFormView
      form={form}
      saveLabel="Create target"
      onCancel={() => void navigate({ to: '/$environment/targets', params })}
    >
      <AsCode
        code={createTargetAsCode(newTargetBody(form.values))}
        note="The same without the console. Set BOUNDARY_ADDR and BOUNDARY_TOKEN to the address and to your token."
      />
    </RecordFormView>
  );
}

/** What the form begins with: a copy of the target to clone, else nothing, in the project where one was. */
function beginning(
  origin: Target | undefined,
  projects: readonly Scope[],
  scope: string | undefined,
): NewTargetFields {
  const wanted = projects.find(({ id }) => id === (origin?.scope_id ?? scope));
  const project = (wanted ?? (projects.length === 1 ? projects[0] : undefined))?.id ?? '';
  const type = knownType(origin?.type ?? 'tcp') ?? 'tcp';
  const blank = blankTarget(type, project);
  if (!origin) return blank;
  const fields = fieldsOfTarget(origin);
  return {
    ...blank,
    ...fields,
    name: `${fields.name}-copy`,
    attributes: { ...blank.attributes, ...fields.attributes },
  };
}
