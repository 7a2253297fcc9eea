import { useQuery } from '@tanstack/react-query';
import { hasService } from '#lib/has-service.ts';
import { targetsUsingSecretQuery, type ReadPlace } from '#queries/secret-uses.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import type { TargetsReading } from './losing-targets.ts';

const none: TargetsReading = { items: [], more: false };

/**
 * The targets that read a secret, a cloud role or anything of an engine.
 * @param isAsked whether to look them up
 * @returns undefined until they are looked up; null if they can't be
 */
export function useTargetsReading(place: ReadPlace, isAsked = true): TargetsReading | null | undefined {
  const hasTargets = hasService(useEnvironment(), 'access');
  const { data, isError } = useQuery({
    ...targetsUsingSecretQuery(place),
    enabled: hasTargets && isAsked,
  });
  if (!hasTargets) return none;
  return data ?? (isError ? null : undefined);
}
