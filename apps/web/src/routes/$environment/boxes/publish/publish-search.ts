/** What publishing begins with: a box that is there, and the image of it that is uploaded. */
import { searchOf, words, type SearchOf } from '#lib/search.ts';

export const publishSearch = searchOf({ box: words, version: words, provider: words, architecture: words });
export type PublishSearch = SearchOf<typeof publishSearch>;
