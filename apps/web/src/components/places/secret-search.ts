/** The search parameters of a secret's page. They never contain values. */
import { matching, oneOf, searchOf, unless, whole, type SearchOf } from '#lib/search.ts';

export const secretTabIds = ['data', 'versions', 'metadata'] as const;
export type SecretTabId = (typeof secretTabIds)[number];

export const secretSearch = searchOf({
  tab: unless('data', oneOf(...secretTabIds)),
  /** The version whose data is shown; by default the newest. */
  version: whole(1),
  /** The two compared versions, the older first. */
  from: whole(1),
  to: whole(1),
});
export type SecretSearch = SearchOf<typeof secretSearch>;

/** The search parameters of the form for a new secret. */
export const newSecretSearch = searchOf({
  /** A name to begin with. */
  name: matching(/^.{1,512}$/su),
});
