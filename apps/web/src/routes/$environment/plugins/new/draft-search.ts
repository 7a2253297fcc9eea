/** What the address says of a new registration: what its form begins with. */
import { matching, oneOf, searchOf, words } from '#lib/search.ts';

export const pluginDraftSearch = searchOf({
  type: oneOf('auth', 'database', 'secret'),
  name: words,
  version: words,
  sha256: matching(/^[0-9a-f]{64}$/),
  command: words,
});
