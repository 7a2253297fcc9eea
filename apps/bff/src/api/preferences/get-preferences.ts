import type { Operation } from '../../http/operation.ts';

export const getPreferences: Operation<'getPreferences'> = async ({ preferences }, { session }) => ({
  preferences: await preferences.all(session.personId),
});
