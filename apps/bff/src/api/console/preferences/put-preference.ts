import type { Operation } from '#operation/operation.ts';

export const putPreference: Operation<'putPreference'> = async (
  { preferences },
  { params, body, session },
) => {
  await preferences.put(session.personId, params.key, body.value);
};
