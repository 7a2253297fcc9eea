/** Where the replication of the secrets server is shown. */
import { defaultStringifySearch } from '@tanstack/react-router';

/** @param part to show, or the question to ask, at once */
export function replicationHref(environment: string, part?: 'lost-writes' | 'update-primary'): string {
  return `/${environment}/replication${part === undefined ? '' : `#${part}`}`;
}

/** Adding a secondary. @param search what it begins with */
export function newSecondaryHref(
  environment: string,
  search: { readonly primary?: string; readonly secondary?: string } = {},
): string {
  return `${replicationHref(environment)}/new-secondary${defaultStringifySearch(search)}`;
}

/** The planner of changes of role. */
export function failoverHref(
  environment: string,
  search: { readonly kind?: 'planned' | 'unplanned'; readonly from?: string; readonly to?: string } = {},
): string {
  return `${replicationHref(environment)}/failover${defaultStringifySearch(search)}`;
}

export function guidesHref(environment: string, kind?: string): string {
  return `${replicationHref(environment)}/guides${kind === undefined ? '' : `#${kind}`}`;
}

/** Comparing two clusters. */
export function compareHref(environment: string, other?: string): string {
  return `${replicationHref(environment)}/compare${defaultStringifySearch(other === undefined ? {} : { with: other })}`;
}

/** The filter of a secondary, by its identifier at the primary. */
export function filterHref(environment: string, secondary: string): string {
  return `${replicationHref(environment)}/filters/${encodeURIComponent(secondary)}`;
}
