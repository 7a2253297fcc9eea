/** What the address says about the audit trail. */
import type { ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { matching, oneOf, searchOf, type Param, type SearchOf } from '#lib/search.ts';
import type { ActivityFilters } from '#queries/activity.ts';

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

const time: Param<string> = (text) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

export const activitySearch = searchOf({
  person: matching(/^.{1,200}$/su),
  service: oneOf(...activityServices),
  action: matching(/^[a-z][a-z.-]{1,60}$/),
  /** Kind of the resource. */
  kind: matching(/^[a-z][a-z-]{1,60}$/),
  /** Id of a resource. */
  resource: matching(/^.{1,200}$/su),
  outcome: oneOf(...activityOutcomes),
  /** Why it was refused. */
  problem: oneOf(...activityRefusals),
  request: matching(/^[A-Za-z0-9_-]{1,100}$/),
  /** RFC 3339, both. */
  from: time,
  to: time,
  /** Sequence of the entry whose panel is open. */
  entry: matching(/^[1-9]\d{0,15}$/),
});
export type ActivitySearch = SearchOf<typeof activitySearch>;

/** Narrows to nothing. */
export const withoutFilters = Object.fromEntries(
  Object.keys(activitySearch.params).map((name) => [name, undefined]),
);

/** The filters as the server takes them. */
export function filtersOf(search: ActivitySearch): ActivityFilters {
  const { person = '', resource: resource_id, request: request_id, entry: _, ...same } = search;
  const filters = { ...same, person: person.trim() || undefined, resource_id, request_id };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
