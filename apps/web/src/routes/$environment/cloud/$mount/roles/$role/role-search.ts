/** What the address says about a role: which of its tabs is open. */
import { oneOf, searchOf } from '#lib/search.ts';

export const roleSearch = searchOf({ tab: oneOf('credentials', 'leases', 'targets', 'code') });
