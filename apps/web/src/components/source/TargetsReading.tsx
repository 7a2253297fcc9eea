import { useQuery } from '@tanstack/react-query';
import { isApiError } from '#lib/api-error.ts';
import { hasService } from '#lib/has-service.ts';
import { targetsUsingSecretQuery, type ReadPlace } from '#queries/secret-uses.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { UsedByTargets } from './UsedByTargets.tsx';

/** The targets with a source that reads a secret, or requests credentials of a cloud role. */
export function TargetsReading({ place }: { place: ReadPlace }) {
  const hasTargets = hasService(useEnvironment(), 'access');
  const query = useQuery({ ...targetsUsingSecretQuery(place), enabled: hasTargets });
  // Users without an account there aren't asked to connect.
  if (!hasTargets || isApiError(query.error, 'not-connected', 'no-access', 'forbidden')) return null;
  const { data } = query;
  return (
    <UsedByTargets
      environment={place.environment}
      query={query}
      targets={data?.items.map(({ id, name, libraries }) => ({
        id,
        name,
        detail: libraries.map((library) => library.name || library.id).join(', '),
      }))}
      none="No target you can see reads it."
      footer={data?.more === true ? 'The search was incomplete. Other targets may use it too.' : undefined}
    />
  );
}
