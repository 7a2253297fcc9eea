/** The search parameters of a new secondary: the environments of both clusters. */
import { matching, searchOf } from '#lib/search.ts';

const environment = matching(/^[a-z0-9-]{1,64}$/);

export const newSecondarySearch = searchOf({ primary: environment, secondary: environment });
