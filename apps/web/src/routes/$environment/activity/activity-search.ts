/** The search parameters of the audit trail. */
import type { ActivityOutcome } from '@gatehouse/api-types/console/activity';
import type { ProblemCode } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { matching, oneOf, searchOf, time, words, type SearchOf } from '#lib/search.ts';
import type { ActivityFilters } from '#queries/activity.ts';

/** The services in the trail; `console` for the console's own actions. */
export const activityServices: readonly (ServiceName | 'console')[] = [
  'access',
  'secrets',
  'boxes',
  'modules',
  'console',
];

// Repeated here, because every page parses the address, and only this one needs the contract's schemas.
export const activityOutcomes: readonly ActivityOutcome[] = [
  'succeeded',
  'failed',
  'refused',
  'unknown',
  'pending',
];

/** The reasons for a refusal that have their own filter. */
export const activityRefusals = [
  'conflict',
  'forbidden',
  'sign-in-failed',
  'invalid-request',
  'not-found',
] as const satisfies readonly ProblemCode[];

export const activitySearch = searchOf({
  q: words,
  person: matching(/^.{1,200}$/su),
  service: oneOf(...activityServices),
  action: matching(/^[a-z][a-z.-]{1,60}$/),
  /** The resource's kind. */
  kind: matching(/^[a-z][a-z-]{1,60}$/),
  /** The resource's ID. */
  resource: matching(/^.{1,200}$/su),
  outcome: oneOf(...activityOutcomes),
  /** The reason for a refusal. */
  problem: oneOf(...activityRefusals),
  request: matching(/^[A-Za-z0-9_-]{1,100}$/),
  /** Both RFC 3339. */
  from: time,
  to: time,
  /** The sequence number of the entry whose panel is open. */
  entry: matching(/^[1-9]\d{0,15}$/),
});
export type ActivitySearch = SearchOf<typeof activitySearch>;

/** Clears all filters. */
export const withoutFilters = Object.fromEntries(
  Object.keys(activitySearch.params).map((name) => [name, undefined]),
);

/** The filters as the server's parameters. */
export function filtersOf(search: ActivitySearch): ActivityFilters {
  const { person = '', resource: resource_id, request: request_id, entry: _, ...same } = search;
  const filters = { ...same, person: person.trim() || undefined, resource_id, request_id };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
