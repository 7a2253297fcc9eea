/** What the address says about a change of role: its kind, the primary before and the one after, by their environments. */
import { matching, oneOf, searchOf } from '#lib/search.ts';

const environment = matching(/^[a-z0-9-]{1,64}$/);

export const failoverSearch = searchOf({
  kind: oneOf('planned', 'unplanned'),
  from: environment,
  to: environment,
});
