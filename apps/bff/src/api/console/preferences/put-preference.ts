import type { Operation } from '#operation/operation.ts';

export const putPreference: Operation<'preferences.put'> = async (
  { preferences },
  { params, body, session },
) => {
  await preferences.put(session.personId, params.key, body.value);
};
