/** The initial values of publishing: an existing box, and the image to upload. */
import { searchOf, words, type SearchOf } from '#lib/search.ts';

export const publishSearch = searchOf({ box: words, version: words, provider: words, architecture: words });
export type PublishSearch = SearchOf<typeof publishSearch>;
