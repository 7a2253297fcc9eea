import { ErrorState } from '@gatehouse/ui/error-state';
import { PageHeader } from '@gatehouse/ui/page-header';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { scopesQuery } from '#queries/access.ts';
import { Failure } from '../errors/Failure.tsx';
import type { Choice } from '../form/record-form.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { projectsToCreateIn } from './projects.ts';

/** Waits for the projects in which something may be created; says why where there is none. */
export function WithProjects({
  title,
  collection,
  many,
  ancestors,
  children,
}: {
  title: string;
  collection: string;
  /** `host catalogs` */
  many: string;
  ancestors: readonly { id: string; label: string; href: string }[];
  children: (projects: readonly Choice[]) => ReactNode;
}) {
  const environment = useEnvironment();
  const scopes = useQuery(scopesQuery(environment.id));
  const projects = scopes.data && projectsToCreateIn(scopes.data, collection);
  if (scopes.data && projects && projects.length > 0) {
    const nameOf = (id: string | undefined): string => {
      const scope = scopes.data.find((candidate) => candidate.id === id);
      return scope === undefined ? '' : scope.name === '' ? scope.id : scope.name;
    };
    return children(
      projects.map((project) => ({
        value: project.id,
        label: [nameOf(project.parent_scope_id), nameOf(project.id)]
          .filter((part) => part !== '')
          .join(' / '),
        description: project.id,
      })),
    );
  }
  return (
    <>
      <PageHeader icon={Plus} title={title} ancestors={ancestors} />
      {scopes.isError ? (
        <Failure error={scopes.error} onRetry={() => void scopes.refetch()} />
      ) : projects === undefined ? (
        <div className="mx-auto w-full max-w-300 p-6">
          <SkeletonList label="Loading what the form needs" lines={6} />
        </div>
      ) : (
        <ErrorState
          icon={Lock}
          title={`You cannot create ${many}`}
          why={`Your role at the access controller does not let you create ${many} in any project.`}
        />
      )}
    </>
  );
}
