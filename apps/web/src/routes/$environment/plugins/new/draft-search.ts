/** The initial values of a new registration, in its address. */
import { matching, oneOf, searchOf, words } from '#lib/search.ts';

export const pluginDraftSearch = searchOf({
  type: oneOf('auth', 'database', 'secret'),
  name: words,
  version: words,
  sha256: matching(/^[0-9a-f]{64}$/),
  command: words,
});
