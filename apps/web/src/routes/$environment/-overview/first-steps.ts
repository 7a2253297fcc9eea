import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Environment } from '@gatehouse/api-types/console/session';
import { publishHref } from '#components/places/boxes.ts';
import { publishModuleHref } from '#components/places/modules.ts';
import { hasService } from '#lib/has-service.ts';
import { connectionIn } from '#queries/session.ts';

/** A first step, or a stop of the demo's tour. */
export interface Step {
  readonly title: string;
  readonly detail: string;
  readonly href: string;
  readonly action: string;
  /** `unknown` until it is read, or if it can't be. A tour's stops have none. */
  readonly state?: 'done' | 'open' | 'unknown' | 'no-access';
}

/** What a user who sets up an environment does first, with the actions of which Activity has one once it is done. */
const ofServices: readonly (Omit<Step, 'href' | 'state'> & {
  readonly service: ServiceName;
  readonly recorded: readonly string[];
  readonly href: (environment: string) => string;
})[] = [
  {
    service: 'access',
    recorded: ['target.create'],
    title: 'Create your first target',
    detail: 'A server or a database that people connect to.',
    action: 'New target',
    href: (at) => `/${at}/targets/new`,
  },
  {
    service: 'secrets',
    recorded: ['secret.create', 'secret.import'],
    title: 'Create your first secret',
    detail: 'Passwords and keys, with all their versions.',
    action: 'Secrets',
    href: (at) => `/${at}/secrets`,
  },
  {
    service: 'access',
    recorded: ['person.create'],
    title: 'Create your first account for someone else',
    detail: 'Everyone signs in with their own account.',
    action: 'New person',
    href: (at) => `/${at}/people/new`,
  },
  {
    service: 'boxes',
    recorded: ['publish-run.release', 'box-version.release'],
    title: 'Publish your first box',
    detail: 'A Vagrant image that is verified while it is uploaded.',
    action: 'Publish a box',
    href: (at) => publishHref(at),
  },
  {
    service: 'modules',
    recorded: ['module-version.publish'],
    title: 'Publish your first module',
    detail: 'A Terraform module, and what its next version breaks.',
    action: 'Publish a module',
    href: (at) => publishModuleHref(at),
  },
];

/** The actions that complete a step. */
export const recordedActions = ofServices.flatMap(({ recorded }) => recorded);

/**
 * The first steps in an environment.
 * @param carriedOut the recorded actions that the user has carried out there; undefined while they are unknown
 */
export function stepsOf(
  environment: Environment,
  connections: readonly Connection[] | undefined,
  carriedOut: readonly string[] | undefined,
): readonly Step[] {
  return [
    {
      title: `Connect to all services of ${environment.name}`,
      detail: 'One password is enough where the accounts are the same.',
      action: 'Connections',
      href: `/${environment.id}/connections`,
      state: connectingIn(connections),
    },
    ...ofServices
      .filter(({ service }) => hasService(environment, service))
      .map(({ service, recorded, href, ...words }): Step => {
        const isDone = carriedOut && recorded.some((action) => carriedOut.includes(action));
        const isDenied = connectionIn(connections, environment.id, service)?.state === 'no-access';
        return {
          ...words,
          href: href(environment.id),
          state: isDenied ? 'no-access' : isDone === undefined ? 'unknown' : isDone ? 'done' : 'open',
        };
      }),
  ];
}

/** Whether all services are connected, apart from those without access. Unknown if one can't be reached. */
function connectingIn(connections: readonly Connection[] | undefined): NonNullable<Step['state']> {
  const states = new Set(connections?.map(({ state }) => state));
  if (states.has('not-connected') || states.has('expired')) return 'open';
  if (states.size === 0 || states.has('unreachable') || states.has('sealed')) return 'unknown';
  return states.has('connected') || states.has('standby') ? 'done' : 'no-access';
}

/** How many steps are done, among those that the user has access to; undefined while a step's state is unknown. */
export function progressOf(
  steps: readonly Step[],
): { readonly done: number; readonly all: number } | undefined {
  if (steps.some(({ state }) => state === 'unknown')) return undefined;
  const counted = steps.filter(({ state }) => state !== 'no-access');
  return { done: counted.filter(({ state }) => state === 'done').length, all: counted.length };
}
