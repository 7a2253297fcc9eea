import type { Environment, Session } from '@gatehouse/api-types/console/session';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sessionQuery } from '#queries/session.ts';

/** The current session. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The environment of the address. Only for use in the shell, which rejects unknown ones. */
export function useEnvironment(): Environment {
  const { environments } = useSession();
  const { environment: id } = useParams({ strict: false });
  const environment = environments.find((candidate) => candidate.id === id);
  if (!environment) throw new Error(`The configuration has no environment "${String(id)}".`);
  return environment;
}
