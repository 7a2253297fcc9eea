/** What the address says about a comparison: the environment of the other cluster. */
import { matching, searchOf } from '#lib/search.ts';

export const compareSearch = searchOf({ with: matching(/^[a-z0-9-]{1,64}$/) });
