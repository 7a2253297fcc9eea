/** What the address says about a session that is asked for by name, so that a link can be kept or handed on. */
import { matching, recordId, searchOf } from '#lib/search.ts';

const name = matching(/^.{1,512}$/su);

export const byNameSearch = searchOf(
  {
    name,
    /** The id of the scope. */
    scope: recordId,
    scope_name: name,
  },
  // The id says it without doubt.
  ({ scope_name, ...rest }) =>
    scope_name === undefined || rest.scope !== undefined ? rest : { ...rest, scope_name },
);
