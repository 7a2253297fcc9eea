import { fieldsOfTarget, type Target } from '@gatehouse/api-types/console/targets';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp } from '#components/form/as-code.ts';
import type { Choice } from '#components/form/record-form.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithProjects } from '#components/record/WithProjects.tsx';
import { queryClient } from '#lib/query-client.ts';
import { scopesQuery, targetQuery } from '#queries/access.ts';
import { shownTargets } from '../shown-targets.ts';
import { createTargetAsCode } from '../target-as-code.ts';
import {
  blankTarget,
  knownType,
  newTargetBody,
  type NewTargetFields,
  newTargetForm,
} from '../target-form.ts';
import { useTargetPlaces } from '../use-target-places.ts';

export interface NewTargetSearch {
  /** The initial project. */
  readonly scope?: string;
  /** The target to clone. */
  readonly from?: string;
}

function parseSearch(search: Readonly<Record<string, unknown>>): NewTargetSearch {
  const { scope, from } = search;
  const isId = (value: unknown): value is string =>
    typeof value === 'string' && /^[A-Za-z0-9_]{1,64}$/.test(value);
  return { ...(isId(scope) && { scope }), ...(isId(from) && { from }) };
}

export const Route = createFileRoute('/$environment/targets/new/')({
  validateSearch: parseSearch,
  loaderDeps: ({ search: { from } }) => ({ from }),
  loader: ({ params: { environment }, deps: { from } }) => {
    void queryClient.prefetchQuery(scopesQuery(environment));
    if (from !== undefined) void queryClient.prefetchQuery(targetQuery(environment, from));
  },
  component: NewTargetPage,
});

const route = getRouteApi('/$environment/targets/new/');

/** Creates a target, or a copy of one. */
function NewTargetPage() {
  const { from, scope } = route.useSearch();
  const environment = useEnvironment();
  const { ancestors, listHref, hrefOf } = useTargetPlaces({});
  const origin = useQuery({ ...targetQuery(environment.id, from ?? ''), enabled: from !== undefined });
  const title = from === undefined ? 'New target' : 'Clone target';
  return (
    <WithProjects
      title={title}
      collection="targets"
      many="targets"
      ancestors={ancestors}
      listHref={listHref}
      queries={from === undefined ? [] : [origin]}
    >
      {(projects) => (
        <NewRecord
          key={from ?? ''}
          kind={shownTargets}
          title={title}
          ancestors={ancestors}
          blank={beginning(origin.data, projects, scope)}
          formKey={({ type }) => type}
          formOf={({ type }) => newTargetForm(type, projects)}
          bodyOf={newTargetBody}
          codeOf={(values) => ({
            forms: createTargetAsCode(newTargetBody(values)),
            setUp: codeSetUp.access,
          })}
          hrefOf={hrefOf}
          cancelHref={listHref}
        />
      )}
    </WithProjects>
  );
}

/** The initial values: a copy of the target to clone, else blank, in the project you came from. */
function beginning(
  origin: Target | undefined,
  projects: readonly Choice[],
  scope: string | undefined,
): NewTargetFields {
  const wanted = projects.find(({ value }) => value === (origin?.scope_id ?? scope));
  const project = (wanted ?? (projects.length === 1 ? projects[0] : undefined))?.value ?? '';
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
