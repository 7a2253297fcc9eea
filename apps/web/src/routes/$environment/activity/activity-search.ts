/** What the address says about the audit trail. */
import type { ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { ActivityFilters } from '#queries/activity.ts';

export interface ActivitySearch {
  readonly person?: string;
  readonly service?: ServiceName | 'console';
  readonly action?: string;
  /** Kind of the resource. */
  readonly kind?: string;
  /** Id of a resource. */
  readonly resource?: string;
  readonly outcome?: ActivityOutcome;
  /** Why it was refused. */
  readonly problem?: ActivityRefusal;
  readonly request?: string;
  /** RFC 3339, both. */
  readonly from?: string;
  readonly to?: string;
  /** Sequence of the entry whose panel is open. */
  readonly entry?: string;
}

/** Services that the trail tells apart: `console` is what is its own. */
export const activityServices: readonly (ServiceName | 'console')[] = [
  'access',
  'secrets',
  'boxes',
  'modules',
  'console',
];

// Written out: every page reads the address, and none but this one needs the contract's schemas for it.
export const activityOutcomes: readonly ActivityOutcome[] = [
  'succeeded',
  'failed',
  'refused',
  'unknown',
  'pending',
];

/** Why something was refused, where that is another matter than the usual. */
export const activityRefusals = [
  'conflict',
  'forbidden',
  'sign-in-failed',
  'invalid-request',
  'not-found',
] as const satisfies readonly ProblemCode[];
export type ActivityRefusal = (typeof activityRefusals)[number];

/** Reads the search parameters; what is not understood is left out. */
export function parseActivitySearch(search: Readonly<Record<string, unknown>>): ActivitySearch {
  const text = (name: string, pattern: RegExp): string | undefined => {
    const value = search[name];
    const written = typeof value === 'number' ? String(value) : value;
    return typeof written === 'string' && pattern.test(written) ? written : undefined;
  };
  const time = (name: string): string | undefined => {
    const value = text(name, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/);
    return value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value;
  };
  const known = {
    person: text('person', /^.{1,200}$/su),
    service: activityServices.find((service) => service === search['service']),
    action: text('action', /^[a-z][a-z.-]{1,60}$/),
    kind: text('kind', /^[a-z][a-z-]{1,60}$/),
    resource: text('resource', /^.{1,200}$/su),
    outcome: activityOutcomes.find((outcome) => outcome === search['outcome']),
    problem: activityRefusals.find((problem) => problem === search['problem']),
    request: text('request', /^[A-Za-z0-9_-]{1,100}$/),
    from: time('from'),
    to: time('to'),
    entry: text('entry', /^[1-9]\d{0,15}$/),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** The filters as the server takes them. */
export function filtersOf(search: ActivitySearch): ActivityFilters {
  const { person, service, kind, action, resource, outcome, problem, request, from, to } = search;
  return {
    ...(person !== undefined && { person }),
    ...(service !== undefined && { service }),
    ...(kind !== undefined && { kind }),
    ...(action !== undefined && { action }),
    ...(resource !== undefined && { resource_id: resource }),
    ...(outcome !== undefined && { outcome }),
    ...(problem !== undefined && { problem }),
    ...(request !== undefined && { request_id: request }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}
