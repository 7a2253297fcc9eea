/** The search parameters of the list of plugins. */
import { oneOf, order, searchOf, words, type SearchOf } from '#lib/search.ts';

export const pluginsSearch = searchOf({
  q: words,
  type: oneOf('auth', 'database', 'secret'),
  source: oneOf('builtin', 'registered', 'configuration', 'image'),
  state: oneOf('runs', 'mismatch', 'missing', 'unsupported', 'unknown'),
  sort: order,
});
export type PluginsSearch = SearchOf<typeof pluginsSearch>;
