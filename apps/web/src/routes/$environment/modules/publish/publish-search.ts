/** The search parameters of publishing: the module that gets a new version. */
import { matching, searchOf, type SearchOf } from '#lib/search.ts';

const part = matching(/^[0-9A-Za-z_-]{1,64}$/);

export const publishSearch = searchOf({ namespace: part, name: part, provider: part });
export type PublishSearch = SearchOf<typeof publishSearch>;
