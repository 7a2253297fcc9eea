/** The search parameters of the modules list. */
import { either, matching, off, on, order, searchOf, whole, type SearchOf } from '#lib/search.ts';

const name = matching(/^(?!\s*$).{1,64}$/su);

export const modulesSearch = searchOf({
  q: matching(/^(?!\s*$).{1,200}$/su),
  namespace: name,
  provider: name,
  verified: on,
  deprecated: either(on, off),
  /** Only for lists of one page. */
  sort: order,
  page: whole(2, 200_000),
});
export type ModulesSearch = SearchOf<typeof modulesSearch>;
