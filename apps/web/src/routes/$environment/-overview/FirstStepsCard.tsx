import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment } from '@gatehouse/api-types/console/session';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { LinkButton } from '@gatehouse/ui/link';
import { VisuallyHidden } from '@gatehouse/ui/visually-hidden';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useSession } from '#components/environment/use-environment.ts';
import { publishHref } from '#components/places/boxes.ts';
import { publishModuleHref } from '#components/places/modules.ts';
import { scopesQuery } from '#queries/access.ts';
import { lastActionQuery } from '#queries/activity.ts';
import { globalScope } from '#queries/global-scope.ts';
import { usePreference } from '#queries/preferences.ts';

interface Step {
  readonly title: string;
  readonly detail: string;
  readonly href: string;
  readonly action: string;
  /** Undefined in a tour, of which it isn't known. */
  readonly isDone?: boolean;
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
function isTour(stored: unknown): stored is readonly Step[] {
  return (
    Array.isArray(stored) &&
    stored.every((one: Partial<Record<keyof Step, unknown>> | null) => {
      const { title, detail, href, action } = one ?? {};
      return (
        [title, detail, action].every((text) => typeof text === 'string') &&
        typeof href === 'string' &&
        /^\/(?!\/)/.test(href)
      );
    })
  );
}
const noTour: readonly Step[] = [];

/** The demo's tour, or the first steps of somebody who can add people; none once all are done or hidden. */
export function useFirstSteps(environment: Environment, connections: readonly Connection[] | undefined) {
  const { person } = useSession();
  const [isHidden, setHidden] = usePreference<boolean>(
    'first-steps-hidden',
    (stored) => stored === true,
    false,
  );
  const [tour] = usePreference('tour', isTour, noTour);
  const isOver = isHidden || tour.length > 0;
  const isConnected = (name: ServiceName): boolean =>
    connections?.some(({ service, state }) => service === name && state === 'connected') === true;
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
  const isKnown =
    isOver || (connections !== undefined && ![scopes, ...done].some(({ isLoading }) => isLoading));
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
            isDone: (done[index]?.data ?? null) !== null,
          })),
        ];
  const areAllDone = steps.length > 0 && steps.every(({ isDone }) => isDone);
  useEffect(() => {
    if (areAllDone) setHidden(true);
  }, [areAllDone, setHidden]);
  return {
    isKnown,
    steps: isHidden || areAllDone ? [] : tour.length > 0 ? tour : steps,
    hide: () => {
      setHidden(true);
    },
  };
}

export function FirstStepsCard({ steps, hide }: Pick<ReturnType<typeof useFirstSteps>, 'steps' | 'hide'>) {
  if (steps.length === 0) return null;
  return (
    <Card
      isFlush
      title={titleOf(steps)}
      actions={
        <Button size={28} variant="ghost" onPress={hide}>
          Hide
        </Button>
      }
    >
      <ul className="grid grid-cols-1 wide:grid-cols-2">
        {steps.map(({ title, detail, href, action, isDone }) => (
          <li key={title} className="flex min-w-0 items-center gap-3 border-b border-line px-4 py-2">
            {isDone !== undefined && (
              <Icon icon={isDone ? CircleCheck : Circle} className={isDone ? 'text-ok' : 'text-ink-3'} />
            )}
            <p className="min-w-0 flex-1">
              <span className="font-medium text-ink-1">{title}</span>
              {isDone === true && <VisuallyHidden> (done)</VisuallyHidden>}
              <span className="block text-meta text-ink-2">{detail}</span>
            </p>
            {isDone !== true && (
              <LinkButton href={href} size={28}>
                {action}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function titleOf(steps: readonly Step[]): string {
  if (steps.every(({ isDone }) => isDone === undefined)) return 'A tour of three minutes';
  const done = steps.filter(({ isDone }) => isDone === true);
  return `First steps: ${String(done.length)} of ${String(steps.length)} done`;
}
