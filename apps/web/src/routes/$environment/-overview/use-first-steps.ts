import type { Connection, Environment } from '@gatehouse/api-types/console/session';
import { toasts } from '@gatehouse/ui/toast';
import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { scopesQuery } from '#queries/access.ts';
import { ownActionsQuery } from '#queries/activity.ts';
import { globalScope } from '#queries/global-scope.ts';
import { arePlaces, usePreference } from '#queries/preferences.ts';
import { connectionIn } from '#queries/session.ts';
import { progressOf, recordedActions, stepsOf, type Step } from './first-steps.ts';

/** The demo's tour, which it stores for its first administrator. */
const isStoredTour = (stored: unknown): stored is readonly Step[] =>
  arePlaces(stored, 'title', 'detail', 'action');
const noTour: readonly Step[] = [];

/** By environment, whether its first steps were hidden, or shown again; under `''` the tour. */
type Wishes = Readonly<Record<string, unknown>>;
const areWishes = (stored: unknown): stored is Wishes => typeof stored === 'object' && stored !== null;
const noWishes: Wishes = {};

/**
 * The demo's tour, or the first steps of users who can create people; none once all are done, unless the user has them
 * shown again, or hides them.
 */
export function useFirstSteps(environment: Environment, connections: readonly Connection[] | undefined) {
  const [tour] = usePreference('tour', isStoredTour, noTour);
  const [wishes, setWishes] = usePreference('first-steps', areWishes, noWishes);
  const isTour = tour.length > 0;
  const place = isTour ? '' : environment.id;
  const wish = wishes[place];
  const setWish = (next: unknown): void => {
    setWishes({ ...wishes, [place]: next });
  };
  const isAsked = useRouterState({ select: ({ location }) => location.hash === 'first-steps' });
  const show = useEffectEvent(() => setWish('shown'));
  useEffect(() => {
    if (isAsked) show();
  }, [isAsked]);
  const isOver = isTour || wish === 'hidden';
  const isConnected = connectionIn(connections, environment.id, 'access')?.state === 'connected';
  const scopes = useQuery({ ...scopesQuery(environment.id), enabled: !isOver && isConnected });
  const rights = scopes.data?.find(({ id }) => id === globalScope)?.authorized_collection_actions;
  // Without a connection, the rights are unknown.
  const isForUser =
    !isOver && (isConnected ? rights?.['users']?.includes('create') === true : wish === 'shown');
  const carriedOut = useQuery({ ...ownActionsQuery(environment.id, recordedActions), enabled: isForUser });
  const steps = isForUser ? stepsOf(environment, connections, carriedOut.data) : [];
  const progress = progressOf(steps);
  const areAllDone = isForUser && progress !== undefined && progress.done === progress.all;
  const end = useEffectEvent(() => setWish('hidden'));
  const isEnded = areAllDone && wish !== 'shown';
  useEffect(() => {
    if (isEnded) end();
  }, [isEnded]);
  return {
    // The cards below needn't wait for what is done: it changes only the marks.
    isKnown: isOver || (connections !== undefined && !scopes.isLoading),
    isAsked,
    title: isTour
      ? 'A three-minute tour'
      : progress === undefined
        ? 'First steps'
        : `First steps: ${String(progress.done)} of ${String(progress.all)} done`,
    steps: wish === 'hidden' || isEnded ? [] : isTour ? tour : steps,
    hide: () => {
      setWish('hidden');
      toasts.ok({
        title: isTour ? 'Tour hidden' : `First steps in ${environment.name} hidden`,
        detail: 'To see them again, find “Show first steps” in the command palette.',
        action: { label: 'Undo', onPress: () => setWish(wish) },
      });
    },
  };
}
