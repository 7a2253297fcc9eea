import type { Operation } from '#operation/operation.ts';

export const getPreferences: Operation<'preferences.get'> = async ({ preferences }, { session }) => ({
  preferences: await preferences.all(session.personId),
});
