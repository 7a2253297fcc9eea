import type { GridNoun } from '@gatehouse/ui/data-grid';
import { useQuery } from '@tanstack/react-query';
import { scopesQuery } from '#queries/access.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { ListCreate } from '../list/ListCreate.tsx';
import { projectsToCreateIn } from './projects.ts';

/**
 * Whether a record can be created in one of the projects.
 * @param collection of a project, in the controller's words
 */
export function useCreateInProjects(collection: string, { many }: GridNoun, href: string): ListCreate {
  const scopes = useQuery(scopesQuery(useEnvironment().id));
  if (scopes.data === undefined) return { href, reason: 'Your permissions here are still loading.' };
  const can = projectsToCreateIn(scopes.data, collection).length > 0;
  return {
    href,
    reason: can
      ? undefined
      : `Your role in the access controller doesn't let you create ${many} in any project.`,
  };
}
