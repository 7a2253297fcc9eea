/** Places visited since the page was loaded: only in memory, never stored. */

export interface RecentPlace {
  readonly href: string;
  readonly title: string;
}

const mostPlaces = 30;
let places: readonly RecentPlace[] = [];

/** Records a place with its title. */
export function noteRecentPlace(href: string, title: string): void {
  const path = pathOf(href);
  places = [{ href, title }, ...places.filter((place) => pathOf(place.href) !== path)].slice(0, mostPlaces);
}

/** Removes a place whose record is gone. */
export function forgetRecentPlace(path: string): void {
  places = places.filter(({ href }) => pathOf(href) !== path);
}

/** Newest first. */
export function recentPlaces(): readonly RecentPlace[] {
  return places;
}

/** The path of an address: a list with other filters is the same place. */
export function pathOf(href: string): string {
  return href.split(/[?#]/, 1)[0] ?? href;
}
