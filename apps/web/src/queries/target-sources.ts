/** The sources of targets: which targets use a source, and changing what a target uses. */
import {
  changeCredentialSources,
  changeHostSources,
  getTarget,
  listTargets,
  updateTarget,
  type CredentialSourcesChange,
  type HostSourcesChange,
  type Target,
} from '@gatehouse/api-types/console/targets';
import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { keepTarget } from './access.ts';

export const credentialKinds = [
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
  'application_credential_source_ids',
] as const;
export type CredentialKind = (typeof credentialKinds)[number];
export type SourceKind = 'host_source_ids' | CredentialKind;

/** Ids in one filter expression at most: an address has room for no more. */
const idsOfOneFilter = 12;

/** The targets of a project that use any of the sources, whichever kind of link. */
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
          const page = await call(listTargets, {
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

/** Writes to the sources of targets; each answer is put wherever the page shows the target. */
export interface TargetSourceWrites {
  readonly read: (id: string) => Promise<Target>;
  readonly setAddress: (target: Revised, address: string) => Promise<Target>;
  readonly changeHosts: (target: Revised, change: HostSourcesChange) => Promise<Target>;
  readonly changeCredentials: (target: Revised, change: CredentialSourcesChange) => Promise<Target>;
}

type Revised = Pick<Target, 'id' | 'revision'>;

export function useTargetSourceWrites(environment: string): TargetSourceWrites {
  const queryClient = useQueryClient();
  const keep = async (writing: Promise<Target>): Promise<Target> => {
    const target = await writing;
    keepTarget(queryClient, environment, target);
    staleUses(queryClient, environment);
    return target;
  };
  const guard = ({ id, revision }: Revised) => ({ params: { environment, id }, revision });
  return {
    read: (id) => call(getTarget, { params: { environment, id } }),
    setAddress: (target, address) => keep(call(updateTarget, { ...guard(target), body: { address } })),
    changeHosts: (target, body) => keep(call(changeHostSources, { ...guard(target), body })),
    changeCredentials: (target, body) => keep(call(changeCredentialSources, { ...guard(target), body })),
  };
}

function staleUses(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'targets-using'] });
}
