/** The search parameters of a comparison: the other cluster's environment. */
import { matching, searchOf } from '#lib/search.ts';

export const compareSearch = searchOf({ with: matching(/^[a-z0-9-]{1,64}$/) });
