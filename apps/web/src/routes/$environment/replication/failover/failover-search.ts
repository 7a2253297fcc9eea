/** The search parameters of a role change: its kind, and the environments of the old and new primary. */
import { matching, oneOf, searchOf } from '#lib/search.ts';

const environment = matching(/^[a-z0-9-]{1,64}$/);

export const failoverSearch = searchOf({
  kind: oneOf('planned', 'unplanned'),
  from: environment,
  to: environment,
});
