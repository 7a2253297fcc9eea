/** The search parameters of a role's address: its open tab. */
import { oneOf, searchOf } from '#lib/search.ts';

export const roleSearch = searchOf({ tab: oneOf('credentials', 'leases', 'targets', 'code') });
