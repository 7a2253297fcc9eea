import { resource, type Operation } from '#operation/operation.ts';

const getPreferences: Operation<'preferences.get'> = async ({ preferences }, { session }) => ({
  preferences: await preferences.all(session.personId),
});

const putPreference: Operation<'preferences.put'> = async ({ preferences }, { params, body, session }) => {
  await preferences.put(session.personId, params.key, body.value);
};

export const preferenceOperations = resource(
  { service: '' },
  {
    'preferences.get': getPreferences,
    'preferences.put': putPreference,
  },
);
