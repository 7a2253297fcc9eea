import type { Environment } from '@gatehouse/api-types/console/session';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { replicasQuery } from '#queries/replication.ts';
import { useEnvironment, useSession } from './use-environment.ts';

/** Screens whose records are replicated. */
const replicated = new Set(['cloud', 'plugins', 'secrets']);

/**
 * The other environments in which a change on this screen is made too, and the one it is passed on to.
 * @param of another environment, whose secrets server is changed whatever the screen
 */
export function useReplicas(of?: string): {
  readonly others: readonly Environment[];
  /** Other environments that may get the change too. */
  readonly unknown: readonly Environment[];
  readonly isSecondary: boolean;
  readonly primary: Environment | undefined;
} {
  const { id } = useEnvironment();
  const { environments } = useSession();
  const screen = useRouterState({ select: ({ location }) => location.pathname.split('/')[2] ?? '' });
  const { data } = useQuery({
    ...replicasQuery(of ?? id),
    enabled: of !== undefined || replicated.has(screen),
  });
  return {
    others: environments.filter((one) => data?.environments.includes(one.id)),
    unknown: environments.filter((one) => data?.unknown.includes(one.id)),
    isSecondary: data?.is_secondary === true,
    primary: environments.find((one) => one.id === data?.primary),
  };
}
