import { useQueries } from '@tanstack/react-query';
import { hasService } from '#lib/has-service.ts';
import { targetsUsingSecretQuery, type ReadPlace } from '#queries/secret-uses.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { useReplicas } from '../environment/use-replicas.ts';
import type { TargetsReading } from './losing-targets.ts';

const none: TargetsReading = { items: [], more: false };

/**
 * The targets that read a secret, a cloud role or anything of an engine, also in environments that have the same
 * secrets.
 * @param isAsked whether to look them up
 * @returns undefined until they are looked up; null if they can't be
 */
export function useTargetsReading(place: ReadPlace, isAsked = true): TargetsReading | null | undefined {
  const here = useEnvironment();
  const places = [here, ...useReplicas().others].filter((one) => hasService(one, 'access'));
  const queries = useQueries({
    queries: places.map(({ id }) => ({
      ...targetsUsingSecretQuery({ ...place, environment: id }),
      enabled: isAsked,
    })),
  });
  if (places.length === 0) return none;
  if (queries.every(({ isError }) => isError)) return null;
  if (queries.some(({ data, isError }) => data === undefined && !isError)) return undefined;
  return {
    items: queries.flatMap(({ data }, index) =>
      (data?.items ?? []).map(({ id, name }) => {
        const at = places[index];
        return { id, name: at === undefined || at.id === here.id ? name : `${name || id} in ${at.name}` };
      }),
    ),
    more: queries.some(({ data }) => data?.more !== false),
  };
}
