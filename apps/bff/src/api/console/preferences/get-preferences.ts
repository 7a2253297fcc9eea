import type { Operation } from '#operation/operation.ts';

export const getPreferences: Operation<'getPreferences'> = async ({ preferences }, { session }) => ({
  preferences: await preferences.all(session.personId),
});
