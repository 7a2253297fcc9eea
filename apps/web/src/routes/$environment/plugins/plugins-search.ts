/** What the address says about the list of plugins. */
import { matching, oneOf, order, searchOf, words, type SearchOf } from '#lib/search.ts';

export const pluginsSearch = searchOf({
  q: words,
  type: oneOf('auth', 'database', 'secret'),
  source: oneOf('builtin', 'registered', 'configuration', 'image'),
  sort: order,
});
export type PluginsSearch = SearchOf<typeof pluginsSearch>;

/** What a new registration begins with. */
export const pluginDraftSearch = searchOf({
  type: oneOf('auth', 'database', 'secret'),
  name: words,
  version: words,
  sha256: matching(/^[0-9a-f]{64}$/),
  command: words,
});
