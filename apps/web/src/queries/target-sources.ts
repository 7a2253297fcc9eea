/** The sources of targets: which targets use a source, and changes to them. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type {
  CredentialSourcesChange,
  HostSourcesChange,
  Target,
} from '@gatehouse/api-types/console/targets';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call, type Guard } from '#lib/api.ts';
import { keepTarget } from './access.ts';

export const credentialKinds = [
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
  'application_credential_source_ids',
] as const;
export type CredentialKind = (typeof credentialKinds)[number];
export type SourceKind = 'host_source_ids' | CredentialKind;

/** IDs per filter expression, because URLs are limited in length. */
const idsOfOneFilter = 12;

/** The targets of a project that use any of the sources, in any role. */
export const targetsUsingQuery = (
  environment: string,
  scope: string,
  kinds: readonly SourceKind[],
  ids: readonly string[],
) =>
  queryOptions({
    queryKey: [environment, 'access', 'targets-using', scope, kinds, ids],
    queryFn: async ({ signal }): Promise<readonly Target[]> => {
      const found = new Map<string, Target>();
      for (let from = 0; from < ids.length; from += idsOfOneFilter) {
        const filter = ids
          .slice(from, from + idsOfOneFilter)
          .flatMap((id) => kinds.map((kind) => `"${id}" in "/item/${kind}"`))
          .join(' or ');
        let token: string | undefined;
        do {
          const page = await call(at.targets.list, {
            params: { environment },
            query: {
              scope_id: scope,
              page_size: 1000,
              filter,
              ...(token !== undefined && { page_token: token }),
            },
            signal,
          });
          for (const target of page.items) found.set(target.id, target);
          token = page.next_page_token;
        } while (token !== undefined);
      }
      return [...found.values()];
    },
    staleTime: 5_000,
  });

/** Changes of targets' sources. Each answer updates its target wherever the page shows it. */
export type TargetSourceWrites = ReturnType<typeof useTargetSourceWrites>;

/** A target with the revision that guards a write of its sources. */
export type Revised = Guard & Pick<Target, 'id'>;

export function useTargetSourceWrites(environment: string) {
  const queryClient = useQueryClient();
  const keep = async (writing: Promise<Target>): Promise<Target> => {
    const target = await writing;
    keepTarget(queryClient, environment, target);
    staleUses(queryClient, environment);
    return target;
  };
  const guard = ({ id, revision, decisions }: Revised) => ({
    params: { environment, id },
    revision,
    decisions,
  });
  return {
    read: (id: string): Promise<Target> => call(at.targets.get, { params: { environment, id } }),
    setAddress: (target: Revised, address: string): Promise<Target> =>
      keep(call(at.targets.update, { ...guard(target), body: { address } })),
    changeHosts: (target: Revised, body: HostSourcesChange): Promise<Target> =>
      keep(call(at.targets.changeHostSources, { ...guard(target), body })),
    changeCredentials: (target: Revised, body: CredentialSourcesChange): Promise<Target> =>
      keep(call(at.targets.changeCredentialSources, { ...guard(target), body })),
  };
}

function staleUses(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'targets-using'] });
}
