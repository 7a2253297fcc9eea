/** Places that were visited since the page was loaded: kept by the page alone, and by nothing that outlives it. */

export interface RecentPlace {
  readonly href: string;
  readonly title: string;
}

const mostPlaces = 30;
let places: readonly RecentPlace[] = [];

/** Takes note of a place and of what it is called. */
export function noteRecentPlace(href: string, title: string): void {
  const path = pathOf(href);
  places = [{ href, title }, ...places.filter((place) => pathOf(place.href) !== path)].slice(0, mostPlaces);
}

/** The newest first. */
export function recentPlaces(): readonly RecentPlace[] {
  return places;
}

/** A list with other filters is the same place. */
export function pathOf(href: string): string {
  return href.split(/[?#]/, 1)[0] ?? href;
}
