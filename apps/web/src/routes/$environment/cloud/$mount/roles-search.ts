/** The search parameters of an engine's roles. */
import { matching, searchOf, whole, type SearchOf } from '#lib/search.ts';

export const rolesSearch = searchOf({
  q: matching(/^(?!\s*$).{1,200}$/su),
  page: whole(2, 200_000),
});
export type RolesSearch = SearchOf<typeof rolesSearch>;
