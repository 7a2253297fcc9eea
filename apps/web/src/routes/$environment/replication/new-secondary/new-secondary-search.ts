/** What the address says about a secondary that is added: the environments of the two clusters. */
import { matching, searchOf } from '#lib/search.ts';

const environment = matching(/^[a-z0-9-]{1,64}$/);

export const newSecondarySearch = searchOf({ primary: environment, secondary: environment });
