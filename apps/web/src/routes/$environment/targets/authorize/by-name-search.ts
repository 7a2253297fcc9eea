/** The search parameters of a session request by name, which make it possible to share a link. */
import { matching, recordId, searchOf } from '#lib/search.ts';

const name = matching(/^.{1,512}$/su);

export const byNameSearch = searchOf(
  {
    name,
    /** The scope's ID. */
    scope: recordId,
    scope_name: name,
  },
  // The ID is unambiguous.
  ({ scope_name, ...rest }) =>
    scope_name === undefined || rest.scope !== undefined ? rest : { ...rest, scope_name },
);
