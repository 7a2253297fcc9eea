import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment } from '@gatehouse/api-types/console/session';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '#components/environment/use-environment.ts';
import { publishHref } from '#components/places/boxes.ts';
import { publishModuleHref } from '#components/places/modules.ts';
import { scopesQuery } from '#queries/access.ts';
import { lastActionQuery } from '#queries/activity.ts';
import { globalScope } from '#queries/global-scope.ts';
import { arePlaces, usePreference } from '#queries/preferences.ts';
import { connectionIn } from '#queries/session.ts';

interface Step {
  readonly title: string;
  readonly detail: string;
  readonly href: string;
  readonly action: string;
  /** Undefined until it is known, and in a tour. */
  readonly isDone?: boolean | undefined;
}

/** What somebody who sets up an environment does first, each with the action that Activity has once it is done. */
const records: readonly (Omit<Step, 'href' | 'isDone'> & {
  readonly service: ServiceName;
  readonly recorded: string;
  readonly href: (environment: string) => string;
})[] = [
  {
    service: 'access',
    recorded: 'target.create',
    title: 'Add a target',
    detail: 'A server or a database that people connect to.',
    action: 'New target',
    href: (at) => `/${at}/targets/new`,
  },
  {
    service: 'secrets',
    recorded: 'secret.create',
    title: 'Add a secret',
    detail: 'Passwords and keys, with all their versions.',
    action: 'Secrets',
    href: (at) => `/${at}/secrets`,
  },
  {
    service: 'access',
    recorded: 'person.create',
    title: 'Add a person',
    detail: 'Everybody signs in with an account of their own.',
    action: 'New person',
    href: (at) => `/${at}/people/new`,
  },
  {
    service: 'boxes',
    recorded: 'publish-run.release',
    title: 'Publish a box',
    detail: 'A Vagrant image that is verified while it is uploaded.',
    action: 'Publish a box',
    href: (at) => publishHref(at),
  },
  {
    service: 'modules',
    recorded: 'module-version.publish',
    title: 'Publish a module',
    detail: 'A Terraform module, and what its next version breaks.',
    action: 'Publish a module',
    href: (at) => publishModuleHref(at),
  },
];

/** The demo's tour, which it stores for its first administrator. */
const isStoredTour = (stored: unknown): stored is readonly Step[] =>
  arePlaces(stored, 'title', 'detail', 'action');
const noTour: readonly Step[] = [];

/** The demo's tour, or the first steps of somebody who can add people; none once all are done or hidden. */
export function useFirstSteps(environment: Environment, connections: readonly Connection[] | undefined) {
  const { person } = useSession();
  const [isHidden, setHidden] = usePreference<boolean>(
    'first-steps-hidden',
    (stored) => stored === true,
    false,
  );
  const [tour] = usePreference('tour', isStoredTour, noTour);
  const isOver = isHidden || tour.length > 0;
  const isConnected = (name: ServiceName): boolean =>
    connectionIn(connections, environment.id, name)?.state === 'connected';
  const scopes = useQuery({ ...scopesQuery(environment.id), enabled: !isOver && isConnected('access') });
  const isShown =
    !isOver &&
    scopes.data
      ?.find(({ id }) => id === globalScope)
      ?.authorized_collection_actions['users']?.includes('create') === true;
  const offered = records.filter(({ service }) => isConnected(service));
  const done = useQueries({
    queries: offered.map(({ recorded }) => ({
      ...lastActionQuery(environment.id, person.id, recorded),
      enabled: isShown,
    })),
  });
  // The cards below needn't wait for what is done: it changes only the marks.
  const isKnown = isOver || (connections !== undefined && !scopes.isLoading);
  const steps: readonly Step[] =
    !isShown || !isKnown
      ? []
      : [
          {
            title: 'Connect to all services',
            detail: 'The built-in ones, or your own as the configuration names them.',
            action: 'Connections',
            href: `/${environment.id}/connections`,
            isDone:
              connections?.every(({ state }) => state === 'connected' || state === 'no-access') === true,
          },
          ...offered.map(({ title, detail, action, href }, index) => ({
            title,
            detail,
            action,
            href: href(environment.id),
            isDone: done[index]?.isLoading === true ? undefined : (done[index]?.data ?? null) !== null,
          })),
        ];
  const finished = steps.filter(({ isDone }) => isDone).length;
  const areAllDone = steps.length > 0 && finished === steps.length;
  useEffect(() => {
    if (areAllDone) setHidden(true);
  }, [areAllDone, setHidden]);
  return {
    isKnown,
    isTour: tour.length > 0,
    title:
      tour.length > 0
        ? 'A tour of three minutes'
        : `First steps: ${String(finished)} of ${String(steps.length)} done`,
    steps: isHidden || areAllDone ? [] : tour.length > 0 ? tour : steps,
    hide: () => {
      setHidden(true);
    },
  };
}
