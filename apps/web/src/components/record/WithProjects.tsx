import type { Scope } from '@gatehouse/api-types/console/scopes';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { scopesQuery } from '#queries/access.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { Choice } from '../form/record-form.ts';
import { scopeName } from '../targets/scope-name.ts';
import { projectsToCreateIn } from './projects.ts';
import { WithRight, type WithRightProps } from './WithRight.tsx';

/** Waits for the projects in which the user can create records; if there are none, says why. */
export function WithProjects({
  collection,
  children,
  ...frame
}: Omit<WithRightProps, 'reason' | 'queries' | 'children'> & {
  collection: string;
  /** What else the form needs. */
  queries?: WithRightProps['queries'];
  children: (projects: readonly Choice[]) => ReactNode;
}) {
  const environment = useEnvironment();
  const scopes = useQuery(scopesQuery(environment.id));
  const nameOf = (id: string | undefined): string => {
    const scope = scopes.data?.find((candidate) => candidate.id === id);
    return scope === undefined ? '' : scopeName(scope);
  };
  return (
    <WithRight
      {...frame}
      queries={[scopes, ...(frame.queries ?? [])]}
      reason={reasonAgainstAnyProject(scopes.data, collection, frame.many)}
    >
      {() =>
        children(
          projectsToCreateIn(scopes.data ?? [], collection).map((project) => ({
            value: project.id,
            label: [nameOf(project.parent_scope_id), nameOf(project.id)]
              .filter((part) => part !== '')
              .join(' / '),
            description: project.id,
          })),
        )
      }
    </WithRight>
  );
}

/** Why nothing can be created in any project; undefined if one allows it. */
function reasonAgainstAnyProject(
  scopes: readonly Scope[] | undefined,
  collection: string,
  many: string,
): string | undefined {
  if (scopes === undefined) return 'Your permissions here are still loading.';
  if (projectsToCreateIn(scopes, collection).length > 0) return undefined;
  return scopes.some(({ type }) => type === 'project')
    ? `Your role in the access controller doesn't let you create ${many} in any project.`
    : `You can't see any projects. To create ${many}, first create a project or ask for access to one.`;
}
