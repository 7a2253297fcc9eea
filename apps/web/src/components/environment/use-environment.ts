import type { Environment, Session } from '@gatehouse/api-types/console/session';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { sessionQuery } from '#queries/session.ts';

/** The session that this page is used with. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The environment in the address. Inside the shell, which lets no unknown one through. */
export function useEnvironment(): Environment {
  const { environments } = useSession();
  const { environment: id } = useParams({ strict: false });
  const environment = environments.find((candidate) => candidate.id === id);
  if (!environment) throw new Error(`The configuration has no environment "${String(id)}".`);
  return environment;
}
