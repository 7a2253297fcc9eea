/** Addresses of the replication screens. */
import { defaultStringifySearch } from '@tanstack/react-router';

/** @param part the part to show, or the dialog to open */
export function replicationHref(environment: string, part?: 'lost-writes' | 'update-primary'): string {
  return `/${environment}/replication${part === undefined ? '' : `#${part}`}`;
}

/** Adds a secondary. @param search initial values */
export function newSecondaryHref(
  environment: string,
  search: { readonly primary?: string; readonly secondary?: string } = {},
): string {
  return `${replicationHref(environment)}/new-secondary${defaultStringifySearch(search)}`;
}

/** The planner of role changes. */
export function failoverHref(
  environment: string,
  search: { readonly kind?: 'planned' | 'unplanned'; readonly from?: string; readonly to?: string } = {},
): string {
  return `${replicationHref(environment)}/failover${defaultStringifySearch(search)}`;
}

export function guidesHref(environment: string, kind?: string): string {
  return `${replicationHref(environment)}/guides${kind === undefined ? '' : `#${kind}`}`;
}

/** Compares two clusters. */
export function compareHref(environment: string, other?: string): string {
  return `${replicationHref(environment)}/compare${defaultStringifySearch(other === undefined ? {} : { with: other })}`;
}

/** The filter of a secondary, by its ID at the primary. */
export function filterHref(environment: string, secondary: string): string {
  return `${replicationHref(environment)}/filters/${encodeURIComponent(secondary)}`;
}
